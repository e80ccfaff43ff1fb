/*
 * Run by action.yml. Installs the package, starts a sandbox that outlives this step, and writes its URL, key and log to
 * the outputs of the step. Uses only Node's own modules, because the action has no node_modules.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const NAME = 'micro-insurance-sandbox';
const MOST_SECONDS = 30;

const { RUNNER_TEMP, GITHUB_OUTPUT, INPUT_VERSION, INPUT_PACKAGE, INPUT_ARGUMENTS } = process.env;
const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const wanted = INPUT_PACKAGE || `${NAME}@${INPUT_VERSION || own.version}`;

const folder = mkdtempSync(join(RUNNER_TEMP, `${NAME}-`));
// A server needs no test runners, which are optional peers of the package.
const alone = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
const install = ['install', '--prefix', folder, ...alone];
execFileSync('npm', [...install, wanted], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});

const program = join(folder, 'node_modules', NAME, 'bin', `${NAME}.cjs`);
const log = join(folder, 'sandbox.log');
const flags = ['--port', '0', ...INPUT_ARGUMENTS.split(/\s+/).filter(Boolean), '--json'];
const output = openSync(log, 'a');
const stdio = ['ignore', output, output];
const sandbox = spawn(process.execPath, [program, ...flags], { detached: true, stdio });
sandbox.unref();

const { url, key = '' } = await started();
appendFileSync(GITHUB_OUTPUT, `url=${url}\nkey=${key}\nlog=${log}\n`);
console.log(`${NAME} is ready at ${url}`);

/** The line that the sandbox prints at the start. */
async function started() {
  for (let left = MOST_SECONDS * 10; left > 0 && sandbox.exitCode === null; left--) {
    const [greeting] = /^\{"url":.*\}$/m.exec(readFileSync(log, 'utf8')) ?? [];
    if (greeting !== undefined) return JSON.parse(greeting);
    await wait(100);
  }
  console.error(readFileSync(log, 'utf8'));
  console.error(`${NAME} did not start.`);
  process.exit(1);
}
