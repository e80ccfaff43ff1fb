/*
 * Runs the examples in other languages with the commands of the README: `npm run test:examples`. As root on Debian it
 * first installs the languages that are missing.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { provide } from '../scripts/needs.mjs';

const EXAMPLES = [
  { name: 'PHP', command: ['phpunit', '-c', 'examples/php'] },
  // The system's Python, because it has the packages.
  { name: 'Python', command: ['/usr/bin/python3', '-m', 'pytest', '-q', 'examples/python'] },
  { name: 'Java', command: ['java', 'examples/java/Policy.java'] },
];

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await provide('php', 'phpunit', 'python', 'pytest', 'java');

let passed = 0;
for (const { name, command } of EXAMPLES) {
  const [program, ...args] = command;
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status === 0) passed++;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `${status === 0 ? 'ok     ' : 'FAILED '} ${name}: ${command.join(' ')} (${seconds} s)`,
  );
  if (status !== 0) console.log(`${stdout ?? ''}${stderr ?? ''}`);
}
const failed = EXAMPLES.length - passed;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
