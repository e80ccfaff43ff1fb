import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

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
    { timeout: 10_000 },
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

test('a delayed call that its caller gave up keeps no process alive', async () => {
  const program = `await call('before; delay; ms=600000', { signal: AbortSignal.timeout(50) }).catch(show);`;
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
