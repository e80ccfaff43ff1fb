import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { newStateFile, revive } from '../support/state.ts';

/** What a program prints that imports the package. It fails if the process does not end by itself. */
async function run(program: string): Promise<string> {
  const start = `
    import { createSandbox } from 'micro-insurance-sandbox';
    const sandbox = createSandbox();
    const call = (fault, init) =>
      sandbox.fetch('/api/merchant/micro_health/all_subscriptions', {
        ...init,
        headers: { authorization: 'Bearer sk_sandbox_demo', 'sandbox-fault': fault },
      });
    // The first call takes longer than the timeouts below.
    await call('before; malformed');
    const show = (error) => console.log(error.name, error.cause?.code);
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--no-warnings', '--eval', start + program],
    { timeout: 60_000 },
  );
  return stdout;
}

test('a hanging call keeps its process alive until its timeout, which alone would not', async () => {
  const program = `await call('before; hang', { signal: AbortSignal.timeout(50) }).catch(show);`;
  expect(await run(program)).toBe('TimeoutError undefined\n');
});

test('so does a call under fake timers', async () => {
  const program = `
    import { mock } from 'node:test';
    mock.timers.enable({ apis: ['setTimeout'] });
    await call('before; delay; ms=600000', { signal: AbortSignal.timeout(50) }).catch(show);
  `;
  expect(await run(program)).toBe('TimeoutError undefined\n');
});

test('so does a call in node:test', async () => {
  const program = `
    import { test } from 'node:test';
    test('hangs', () => call('after; hang', { signal: AbortSignal.timeout(50) }).catch(show));
  `;
  expect(await run(program)).toMatch(/^. pass 1$/m);
});

test('the process ends once nothing is pending', async () => {
  const program = `
    const hanging = call('before; hang').catch(show);
    await call('before; delay; ms=20').then(({ status }) => console.log(status));
    const left = new AbortController();
    const forever = new ReadableStream({ pull: () => new Promise(() => {}) });
    const sending = { method: 'POST', body: forever, duplex: 'half', signal: left.signal };
    const leaving = call('before; hang', sending).catch(show);
    setTimeout(() => left.abort(), 20);
    await leaving;
    await sandbox.close();
    await hanging;
  `;
  expect(await run(program)).toBe('200\nAbortError undefined\nTypeError ECONNRESET\n');
});

/**
 * A program that gives up a verify which the sandbox has received and delays, and then ends. The sandbox keeps its state
 * in a file.
 */
const givingUp = (open: string, ms: number, end: string) => `
  import { sampleRequests } from 'micro-insurance-sandbox';
  import { startSandbox } from 'micro-insurance-sandbox/node';
  import { subscribe } from 'node:diagnostics_channel';
  const left = new AbortController();
  const opened = ${open};
  const merchant = opened.sandbox.createMerchant();
  const initiated = await merchant.call('initiateMotorPolicy', sampleRequests.initiateMotorPolicy);
  const { token } = initiated.body.data;
  const init = {
    method: 'POST',
    headers: {
      authorization: 'Bearer ' + merchant.apiKey,
      'content-type': 'application/json',
      'sandbox-fault': 'before; delay; ms=${ms}',
    },
    body: JSON.stringify({ token }),
    signal: left.signal,
  };
  opened.onReceived(() =>
    setTimeout(() => left.abort(new DOMException('', 'TimeoutError')), 100).unref());
  const path = '/api/merchant/comprehensive_motor_verify_policy';
  await opened.fetch(opened.url + path, init).catch(show);
  process.on('exit', () => {
    const [{ operation, status }] = merchant.journal.list();
    console.log(operation, status, merchant.records({ family: 'motor' }).data.length, 'policy');
  });
  ${end}
`;

const IN_PROCESS =
  "{ sandbox, fetch: sandbox.fetch, url: 'http://sandbox', onReceived: (then) => then() }";
const overSocket = (state: string) => `{
    ...{ fetch, onReceived: (then) => subscribe('http.server.request.start', then) },
    ...(await startSandbox({ port: 0, state: ${JSON.stringify(state)} })),
  }`;

const CARRIED_OUT = 'TimeoutError undefined\nverifyMotorPolicy 200 1 policy\n';
const EXITS = 'process.exit();';
const IS_KILLED =
  "setInterval(() => {}, 1000); process.kill(process.pid, 'SIGTERM'); await new Promise(() => {});";

describe('a delayed call that its caller gave up is carried out', () => {
  test('before its process ends by itself', async () => {
    expect(await run(givingUp(IN_PROCESS, 500, ''))).toBe(CARRIED_OUT);
  });

  test('at once when its process exits', async () => {
    expect(await run(givingUp(IN_PROCESS, 600_000, EXITS))).toBe(CARRIED_OUT);
    expect(await run(givingUp(overSocket(newStateFile()), 600_000, EXITS))).toBe(CARRIED_OUT);
  });

  test('at once when a signal ends its process, as test runners do', async () => {
    const file = newStateFile();
    const program = run(givingUp(overSocket(file), 600_000, IS_KILLED));
    await expect(program).rejects.toMatchObject({ signal: 'SIGTERM' });
    const { sandbox } = await revive(file);
    expect(sandbox.merchants().at(-1)?.records({ family: 'motor' }).data).toHaveLength(1);
  });

  test('at the exit of a process that handles such a signal itself', async () => {
    const end = `process.once('SIGTERM', () => setTimeout(process.exit, 20)); ${IS_KILLED}`;
    expect(await run(givingUp(IN_PROCESS, 600_000, end))).toBe(CARRIED_OUT);
  });
});
