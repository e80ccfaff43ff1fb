import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { newFolder, PROGRAM, serveHere, urlIn } from './command.ts';

const DEMO = { headers: { authorization: 'Bearer sk_sandbox_demo' } };
const LIST = '/api/merchant/micro_health/all_subscriptions';
const SHOWN = 'micro_health/all_subscriptions';
const LOGGED = /^\d\d:\d\d:\d\d 200 {2}GET \S+ \d+(\.\d)? ms$/;

describe('--log', () => {
  /** All output lines of the command after one list request. */
  async function linesAbout(...args: readonly string[]) {
    const { url, stop } = await serveHere(args);
    expect((await fetch(url + LIST, DEMO)).status).toBe(200);
    const { code, out, err } = await stop();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out.trimEnd().split('\n');
  }

  test('is off by default without a terminal', async () => {
    expect((await linesAbout()).filter((line) => LOGGED.test(line))).toEqual([]);
  });

  test('calls writes a line for each call, after the greeting', async () => {
    const lines = await linesAbout('--log', 'calls');
    expect(lines[0]).toMatch(/^micro-insurance-sandbox .* at http/);
    expect(lines.at(-1)).toMatch(LOGGED);
    expect(lines.filter((line) => LOGGED.test(line))).toHaveLength(1);
  });

  test('json has standard output to itself, and the greeting is on standard error', async () => {
    const { url, stop } = await serveHere(['--log', 'json']);
    expect((await fetch(url + LIST, DEMO)).status).toBe(200);
    const { out, err } = await stop();
    expect(err).toMatch(/^micro-insurance-sandbox .* at http/);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).path),
    ).toEqual([LIST]);
  });

  test('json with --json prints only lines of JSON', async () => {
    const lines = await linesAbout('--json', '--log', 'json');
    const [started, logged] = lines.map((line) => JSON.parse(line));
    expect(started).toMatchObject({ inspector: `${started.url}/_sandbox` });
    expect(logged).toMatchObject({ path: LIST, status: 200, merchant: { id: 1 } });
  });
});

/** A program whose output is read until the sandbox prints its address. */
async function startReading(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  while (!said.out.includes('Ctrl+C')) await once(child.stdout, 'data');
  return { child, said, url: urlIn(said.out), closed: once(child, 'exit') };
}

describe('a log without a reader', () => {
  const START = [PROGRAM, '--port', '0', '--log', 'calls'];

  test('ends when its pipe is closed, and the sandbox keeps responding', async () => {
    const { child, said, url, closed } = await startReading(process.execPath, START);
    child.stdout.destroy();
    for (let call = 0; call < 5; call++) expect((await fetch(url + LIST, DEMO)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
    expect(said.err).toBe('');
  });

  test('does not prevent the sandbox from stopping', async () => {
    const { child, url, closed } = await startReading(process.execPath, START);
    child.stdout.pause();
    // Their long lines are more than a pipe buffers.
    const call = () => fetch(`${url}/livez${'/x'.repeat(2000)}`);
    await Promise.all(Array.from({ length: 100 }, call));
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });
});

describe.runIf(spawnSync('script', ['--version']).status === 0)('at a terminal', () => {
  test('shows every call in colours by default', async () => {
    const command = `echo pid $$; exec '${process.execPath}' '${PROGRAM}' --port 0`;
    const { said, url, closed } = await startReading('script', ['-qfec', command, '/dev/null']);
    await fetch(url + LIST, DEMO);
    await fetch(`${url}/_sandbox/clock`, DEMO);
    process.kill(Number(/^pid (\d+)/.exec(said.out)?.[1]), 'SIGTERM');
    expect(await closed).toEqual([0, null]);
    const lines = said.out.replaceAll('\r', '').trimEnd().split('\n');
    expect(lines[1]).toContain('\u001b[1mmicro-insurance-sandbox ');
    expect(lines.at(-2)).toContain(` \u001b[32m200\u001b[39m  GET ${SHOWN} `);
    expect(lines.at(-1)?.startsWith('\u001b[2m')).toBe(true);
    expect(lines.at(-1)).toContain(' \u001b[32m200\u001b[39m  GET /_sandbox/clock ');
  });
});

describe('an embedded sandbox', () => {
  /** Serves a sandbox for this number of calls. */
  const serving = (options: string, calls: number) => `{
    const server = await startSandbox({ port: 0, ${options} });
    for (let call = 0; call < ${calls}; call++) await fetch(server.url + '${LIST}');
    await server.close();
  }`;
  const runModule = (code: string) => {
    const module = `import { startSandbox } from './dist/node.js';${code}`;
    return promisify(execFile)(process.execPath, ['--input-type=module', '-e', module]);
  };

  test('logs nothing by default, and no colours into a pipe', async () => {
    const code = serving('', 1) + serving("log: 'calls'", 2);
    const lines = (await runModule(code)).stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    const line =
      /^\d\d:\d\d:\d\d 401 {2}GET micro_health\/all_subscriptions \d+(\.\d)? ms {2}Unauthenticated\. {2}hint: .*…$/;
    for (const each of lines) expect(each).toMatch(line);
  });
});

describe.skipIf(process.platform === 'win32')('--open', () => {
  test('opens the inspector in the browser', async () => {
    const folder = newFolder();
    const told = join(folder, 'told');
    for (const name of ['xdg-open', 'open']) {
      const file = join(folder, name);
      writeFileSync(file, `#!/bin/sh\necho "$@" >> '${told}'\n`);
      chmodSync(file, 0o755);
    }
    vi.stubEnv('PATH', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { url } = await serveHere(['--open']);
    await expect
      .poll(() => existsSync(told) && readFileSync(told, 'utf8'))
      .toBe(`${url}/_sandbox\n`);
  });
});
