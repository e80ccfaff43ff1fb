/*
 * What the checks besides `npm test` need of this machine: programs, which come from Debian's packages, and projects
 * below `test/` that have packages and lock files of their own. As root on Debian `provide` installs what is missing;
 * elsewhere it says what that is. `node scripts/needs.mjs` provides everything, or what it is given the names of.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const execute = promisify(execFile);

/** A command that fails where the program is not there, or not all of it; and what has it. */
const PROGRAMS = {
  chromium: {
    present: [process.env.CHROMIUM ?? '/usr/bin/chromium', '--version'],
    packages: ['chromium', 'fonts-dejavu-core'],
  },
  // The runtime alone compiles nothing.
  java: { present: ['javac', '-version'], packages: ['default-jdk-headless'] },
  php: {
    present: [
      ...['php', '-r'],
      'exit(extension_loaded("curl") && extension_loaded("mbstring") && is_file("/usr/share/php/GuzzleHttp/autoload.php") ? 0 : 1);',
    ],
    packages: ['php-cli', 'php-curl', 'php-mbstring', 'php-guzzlehttp-guzzle'],
  },
  // The system's own, because its packages are the system's too.
  python: {
    present: ['/usr/bin/python3', '-c', 'import urllib3, dateutil, six, certifi'],
    packages: ['python3-urllib3', 'python3-dateutil', 'python3-six', 'python3-certifi'],
  },
  nginx: { present: ['nginx', '-v'], packages: ['nginx'] },
  podman: {
    present: ['sh', '-c', 'command -v podman && command -v buildah && command -v runc'],
    packages: ['podman', 'buildah', 'runc'],
  },
  busybox: { present: ['sh', '-c', 'command -v busybox'], packages: ['busybox-static'] },
};

const PROJECTS = {
  codegen: 'test/clients/codegen',
  consumers: 'test/consumers',
  engine: 'test/workers/engine',
};

/** @param {(keyof typeof PROGRAMS | keyof typeof PROJECTS)[]} names */
export async function provide(...names) {
  const missing = [];
  for (const name of names.filter((each) => Object.hasOwn(PROGRAMS, each))) {
    const { present, packages } = PROGRAMS[name];
    if (!(await succeeds(present))) missing.push(...packages);
  }
  if (missing.length > 0) await installPackages(missing);
  for (const name of names) if (Object.hasOwn(PROJECTS, name)) await installProject(PROJECTS[name]);
}

const env = {
  ...process.env,
  // nginx is where only administrators look.
  PATH: `${process.env.PATH}:/usr/sbin`,
  DEBIAN_FRONTEND: 'noninteractive',
  // Programs are wanted here, not their services.
  RUNLEVEL: '1',
};

const succeeds = ([command, ...args]) =>
  execute(command, args, { env }).then(
    () => true,
    () => false,
  );

async function installPackages(packages) {
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  if (process.getuid?.() !== 0 || !(await succeeds(['apt-get', '--version'])))
    throw new Error(`Missing here; on Debian, as root: apt-get ${install.join(' ')}`);
  for (const args of [['update'], install]) {
    await execute('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], { env, maxBuffer: 1e8 });
  }
}

/** Installs what the lock file of a project names, unless it is there. */
async function installProject(folder) {
  const wanted = JSON.parse(await readFile(`${folder}/package-lock.json`, 'utf8')).packages;
  const found = await readFile(`${folder}/node_modules/.package-lock.json`, 'utf8').then(
    (text) => JSON.parse(text).packages,
    () => ({}),
  );
  const isStale = Object.entries(wanted).some(
    ([path, { version, optional }]) => path && !optional && found[path]?.version !== version,
  );
  if (!isStale) return;
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  await execute('npm', args, { maxBuffer: 1e8 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  const all = [...Object.keys(PROGRAMS), ...Object.keys(PROJECTS)];
  await provide(...(names.length > 0 ? names : all));
}
