import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../support/terminal.ts';
import { Command, freePort, newFolder, PROGRAM, run, urlIn } from './command.ts';
import { fill, startUnread, stopped } from './unread.ts';

const DEMO = { headers: { authorization: 'Bearer sk_sandbox_demo' } };
const LIST = '/api/merchant/micro_health/all_subscriptions';
const LOGGED = /^\d\d:\d\d:\d\d GET \S+ 200 \d+(\.\d)? ms {2}Demo Merchant$/;

/** What the command says in all when it is asked for one list. */
async function saidAbout(args: readonly string[], environment: Record<string, string> = {}) {
  const command = new Command(['--port', '0', ...args], environment);
  const url = urlIn(await command.started());
  expect((await fetch(url + LIST, DEMO)).status).toBe(200);
  const { code, out, err } = await command.stop();
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

describe('--log', () => {
  test('is off where standard output is no terminal', async () => {
    expect(await saidAbout([])).not.toContain(`GET ${LIST}`);
  });

  test('calls writes a line for each call, after the greeting', async () => {
    const lines = (await saidAbout(['--log', 'calls'])).trimEnd().split('\n');
    expect(lines[0]).toMatch(/^micro-insurance-sandbox .* at http/);
    expect(lines.at(-1)).toMatch(LOGGED);
    expect(lines.filter((line) => LOGGED.test(line))).toHaveLength(1);
  });

  test('json with --json is nothing but lines of JSON', async () => {
    const said = await saidAbout(['--json', '--log', 'json']);
    const [started, logged] = said
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(started).toMatchObject({ inspector: `${started.url}/_sandbox` });
    expect(logged).toMatchObject({ path: LIST, status: 200, merchant: { id: 1 } });
  });

  test('of another kind is refused in one line', async () => {
    expect(await runHere(['--log', 'loud'])).toEqual({
      code: 2,
      out: '',
      err: 'micro-insurance-sandbox: --log must be off or calls or bodies or json; got "loud".\n',
    });
    expect((await runHere([], { SANDBOX_LOG: '1' })).err).toContain('SANDBOX_LOG must be off or');
  });
});

const START = [process.execPath, PROGRAM, '--port', '0', '--log', 'calls'] as const;

describe('a log that nobody reads', () => {
  test('ends when its pipe is closed, and the sandbox answers on', async () => {
    const { child, url, errors } = await startUnread(START);
    child.stdout.destroy();
    for (let call = 0; call < 5; call++) expect((await fetch(url + LIST, DEMO)).status).toBe(200);
    expect(await stopped(child)).toBe(0);
    expect(errors()).toBe('');
  });

  test('does not keep the sandbox from stopping', async () => {
    const { child, url } = await startUnread(START);
    await fill(url);
    expect(await stopped(child)).toBe(0);
  });
});

const isScriptThere = spawnSync('script', ['--version']).status === 0;

/** A command on a terminal of its own, which says its process id first. */
const onTerminal = (args: string, settings = '') =>
  [
    'script',
    '-qfec',
    `echo pid $$; ${settings} exec '${process.execPath}' '${PROGRAM}' ${args}`,
    '/dev/null',
  ] as const;

/** What the sandbox shows on a terminal when it is asked for one list. */
async function shownFor(flags: string, settings = '') {
  const port = await freePort();
  const [program, ...args] = onTerminal(`--port ${port} ${flags}`, settings);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let shown = '';
  child.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  const closed = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  await run(['ready', '--url', url]);
  await fetch(url + LIST, DEMO);
  await fetch(`${url}/_sandbox/clock`, DEMO);
  process.kill(Number(/^pid (\d+)/.exec(shown)?.[1]), 'SIGTERM');
  expect(await closed).toEqual([0, null]);
  return shown.replaceAll('\r', '').replace(/^.*\n/, '');
}

describe.runIf(isScriptThere)('at a terminal', () => {
  test('every call is shown without being asked for, coloured', async () => {
    const shown = await shownFor('');
    const lines = shown.trimEnd().split('\n');
    expect(lines[0]).toContain('\u001b[1mmicro-insurance-sandbox ');
    expect(lines.at(-2)).toContain(` GET ${LIST} \u001b[32m200\u001b[39m `);
    expect(lines.at(-1)?.startsWith('\u001b[2m')).toBe(true);
    expect(lines.at(-1)).toContain(' GET /_sandbox/clock \u001b[32m200\u001b[39m ');
  });
});

/** A folder with a program for every name that opens a browser, which writes down what it is told to open. */
function fakeOpener() {
  const folder = newFolder();
  const told = join(folder, 'told');
  for (const name of ['xdg-open', 'open']) {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho "$@" >> '${told}'\n`);
    chmodSync(file, 0o755);
  }
  return { folder, told: () => (existsSync(told) ? readFileSync(told, 'utf8') : '') };
}

describe.skipIf(process.platform === 'win32')('--open', () => {
  test('opens the inspector in the browser', async () => {
    const { folder, told } = fakeOpener();
    const command = new Command(['--port', '0', '--open'], { PATH: folder });
    const url = urlIn(await command.started());
    await expect.poll(told).toBe(`${url}/_sandbox\n`);
    expect(await command.stop()).toMatchObject({ code: 0, err: '' });
  });
});
