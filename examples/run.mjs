/*
 * Runs the examples in other languages as somebody reading them would: `npm run test:examples`. As root on
 * Debian, a language that is missing is installed first.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const EXAMPLES = [
  {
    name: 'PHP',
    command: ['php', 'examples/php/policy.php'],
    needs: ['php', '-r', "exit(extension_loaded('curl') ? 0 : 1);"],
    packages: ['php-cli', 'php-curl'],
  },
  {
    name: 'Python',
    command: ['python3', '-m', 'unittest', 'discover', 'examples/python'],
    needs: ['python3', '-c', ''],
    packages: ['python3'],
  },
  {
    name: 'Java',
    command: ['java', 'examples/java/Policy.java'],
    // The runtime alone can't compile the file.
    needs: ['javac', '--version'],
    packages: ['default-jdk-headless'],
  },
];

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const missing = EXAMPLES.filter(({ needs }) => !succeeds(needs)).flatMap(
  ({ packages }) => packages,
);
if (missing.length > 0) install(missing);

let passed = 0;
for (const { name, command } of EXAMPLES) {
  const [program, ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status === 0) passed++;
  console.log(`${status === 0 ? 'ok     ' : 'FAILED '} ${name}: ${command.join(' ')}`);
  if (status !== 0) console.log(`${stdout ?? ''}${stderr ?? ''}`);
}
const failed = EXAMPLES.length - passed;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function succeeds([program, ...args]) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function install(packages) {
  if (process.getuid?.() !== 0 || !succeeds(['apt-get', '--version'])) {
    console.log(`Missing for some examples: ${packages.join(', ')}`);
    return;
  }
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  };
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
    options,
  );
}
