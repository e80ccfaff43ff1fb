/*
 * The program that builds and runs images: Podman, or Docker with CONTAINER_ENGINE=docker. Podman
 * gets temporary storage and a stand-in for the base image, so the test needs no image registry.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provide } from '../../scripts/needs.mjs';

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

export async function openEngine(folder) {
  return process.env.CONTAINER_ENGINE === 'docker' ? docker() : podman(folder);
}

function docker() {
  const run = (args, options) => execute('docker', args, options);
  return {
    run,
    prepareBase: (name) => run(['pull', '--quiet', ...platform(), name]),
    baseName: (name) => name,
    buildFlags: platform(),
    runFlags: [],
    strictFlags: [],
    isHealthy: (name) =>
      run(['inspect', '-f', '{{.State.Health.Status}}', name]).trim() === 'healthy',
    close: () => {},
  };
}

function platform() {
  return process.env.IMAGE_PLATFORM ? ['--platform', process.env.IMAGE_PLATFORM] : [];
}

async function podman(folder) {
  await provide('podman', 'busybox');
  mkdirSync(folder, { recursive: true });
  // Set before the first command: podman saves its driver and refuses another one later.
  const storage = join(folder, 'storage.conf');
  writeFileSync(
    storage,
    `[storage]\ndriver="overlay"\ngraphroot="${folder}/graph"\nrunroot="${folder}/run"\n`,
  );
  const env = { ...process.env, CONTAINERS_STORAGE_CONF: storage };
  const run = (args, options = {}) =>
    execute('podman', ['--runtime', 'runc', ...args], { ...options, env });
  return {
    run,
    prepareBase: (name) => {
      const script = fileURLToPath(new URL('./stand-in-base.sh', import.meta.url));
      execute('bash', [script, name, folder], { env });
    },
    baseName: (name) => `localhost/${name}`,
    buildFlags: [
      ...['--isolation', 'chroot', '--network', 'host', '--pull=never'],
      // The OCI format has no health checks.
      ...['--format', 'docker'],
      // The settings to reach the package registry.
      ...mount(CERTIFICATES, CERTIFICATES),
      ...mount(npmConfig(), '/usr/local/etc/npmrc'),
    ],
    // The default limits may be above those of this machine, which would refuse them.
    runFlags: ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
    strictFlags: ['--read-only-tmpfs=false'],
    // Podman schedules health checks with systemd, which may be missing.
    isHealthy: (name) => run(['healthcheck', 'run', name], { mayFail: true }) !== undefined,
    close: () => {
      run(['rmi', '--all', '--force'], { mayFail: true });
      // Podman's own mount would prevent the removal of the folder.
      spawnSync('umount', ['-l', join(folder, 'graph/overlay')], { stdio: 'ignore' });
    },
  };
}

const mount = (file, at) => (file && existsSync(file) ? ['--volume', `${file}:${at}:ro`] : []);

const npmConfig = () => execute('npm', ['config', 'get', 'globalconfig']).trim();

/** Runs a program. Returns its output, or undefined if it fails and may do so. */
function execute(program, args, { mayFail = false, ...options } = {}) {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...options,
    });
  } catch (error) {
    if (mayFail) return undefined;
    throw new Error(`${program} ${args.join(' ')}\n${error.stdout ?? ''}${error.stderr ?? error}`);
  }
}
