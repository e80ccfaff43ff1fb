/*
 * Requirements of the checks besides `npm test`: programs from Debian packages, and projects below `test/` with their
 * own packages. As root on Debian, `provide` installs what is missing; elsewhere it fails with a list. It runs in the
 * folder of the repository.
 * `node scripts/needs.mjs [names]` provides everything, or the given names.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Chromium without the parts that only people use. It draws a page in half of the time. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

/** For each program, a command that fails if it is missing or incomplete, and its Debian packages. */
const PROGRAMS = {
  chromium: {
    present: [CHROMIUM, '--version'],
    packages: ['chromium-headless-shell', 'fonts-dejavu-core'],
  },
  // A runtime without a compiler is not enough.
  java: { present: ['javac', '-version'], packages: ['default-jdk-headless'] },
  php: {
    present: [
      ...['php', '-r'],
      'exit(extension_loaded("curl") && extension_loaded("mbstring") && is_file("/usr/share/php/GuzzleHttp/autoload.php") ? 0 : 1);',
    ],
    packages: ['php-cli', 'php-curl', 'php-mbstring', 'php-guzzlehttp-guzzle'],
  },
  // The system's Python, because it has the packages.
  python: {
    present: ['/usr/bin/python3', '-c', 'import urllib3, dateutil, six, certifi'],
    packages: ['python3-urllib3', 'python3-dateutil', 'python3-six', 'python3-certifi'],
  },
  phpunit: { present: ['phpunit', '--version'], packages: ['phpunit'] },
  pytest: {
    present: ['/usr/bin/python3', '-c', 'import pytest, requests'],
    packages: ['python3-pytest', 'python3-requests'],
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
  // nginx is not in the path of ordinary users.
  PATH: `${process.env.PATH}:/usr/sbin`,
  DEBIAN_FRONTEND: 'noninteractive',
  // Starts no services.
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
    throw new Error(`Missing programs. On Debian, run as root: apt-get ${install.join(' ')}`);
  for (const args of [['update'], install]) {
    await execute('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], { env, maxBuffer: 1e8 });
  }
}

/** Installs the packages in the lock file of a project, unless they are installed. */
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
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  const names = process.argv.slice(2);
  const all = [...Object.keys(PROGRAMS), ...Object.keys(PROJECTS)];
  await provide(...(names.length > 0 ? names : all));
}
