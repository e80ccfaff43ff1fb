import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/node.ts';
import { command, KEY } from './support.ts';

/** A sandbox over a socket, until the end of the test. */
async function serveSandbox(options: Parameters<typeof startSandbox>[0] = {}) {
  const sandbox = await startSandbox({ port: 0, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** `check` of a sandbox with these arguments. */
async function checkSandbox(...args: readonly string[]) {
  const { url } = await serveSandbox();
  return command(['--url', url, '--key', KEY, ...args]);
}

const folder = (): string => mkdtempSync(join(tmpdir(), 'check-'));

test('check reports a sandbox like a test run, and exits with 0', async () => {
  const { code, out, err } = await checkSandbox('--all');
  expect(err).toBe('');
  expect(out.split('\n')[1]).toMatch(/^\d+ probes: \d+ ✓ {2}0 ✗$/);
  expect(out).toContain('✓ token-used  A second verify is refused');
  expect(out).not.toContain(KEY);
  expect(code).toBe(0);
});

test('check writes the profile, JUnit and JSON of a server that decides otherwise, and exits with 1', async () => {
  const decisions = { 'list-order': 'newest-first', 'http-status': { token_used: 409 } };
  const { url } = await serveSandbox({ profile: { version: 1, decisions } as never });
  const at = folder();
  const [profile, junit] = [join(at, 'profile.json'), join(at, 'report.xml')];
  const args = ['--url', url, '--key', KEY];
  const first = await command([...args, '--write-profile', profile, '--junit', junit]);
  expect(first.code).toBe(1);
  expect(first.out).toContain('profile   {"list-order":"newest-first"}');
  expect(first.out).toContain('DECIDED OTHERWISE');
  expect(first.out).toContain(`--profile ${profile}`);
  expect(JSON.parse(readFileSync(profile, 'utf8'))).toEqual({ version: 1, decisions });
  expect(readFileSync(junit, 'utf8')).toMatch(
    /<testcase classname="listMotorPolicies|<testsuite name="list-order" tests="1" failures="1"/,
  );

  const second = await command([...args, '--profile', profile, '--json']);
  const report = JSON.parse(second.out);
  expect(second.code).toBe(0);
  expect(report.profile).toEqual({ version: 1, decisions });
  expect(Object.keys(report)).toEqual(['url', 'requests', 'probes', 'violations', 'profile']);
  expect(report.probes[0]).toEqual({
    id: 'works.getMicroHealthQuote',
    about: 'Endpoints',
    operation: 'getMicroHealthQuote',
    title: expect.any(String),
    outcome: 'ok',
  });
});

test.each([
  ['token-used', ['token-used', 'one-policy', 'token-used-late']],
  ['works.listMotorPolicies', ['works.listMotorPolicies']],
  ['Limits', expect.arrayContaining(['motor-phone', 'token-lifetime'])],
  ['getMotorQuote,currency', undefined],
])('--only %s runs these probes', async (only, ids) => {
  const { code, out, err } = await checkSandbox('--json', '--only', only);
  if (ids === undefined) {
    expect(err).toContain('No probe is about "currency"');
    expect(code).toBe(2);
    return;
  }
  const { probes } = JSON.parse(out);
  expect(probes.map(({ id }: { id: string }) => id).toSorted()).toEqual(
    Array.isArray(ids) ? ids.toSorted() : ids,
  );
});

test.each([
  [['--only', 'tokn-used'], 'did you mean "token-used"?'],
  [['--product', 'motor=4,motor=5'], 'one product of motor, not two'],
  [['--product', 'boat=4'], '--product must name micro_health, motor or group_life'],
  [['--product', 'motor=x'], '--product must look like motor=7'],
  [['--patience', 'long'], '--patience must be a number above 0'],
])('check %j is one clear line, and exit 2', async (args, line) => {
  const { code, out, err } = await checkSandbox(...args);
  expect(err).toContain(line);
  expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  expect(out).toBe('');
  expect(code).toBe(2);
});

test('check says what is missing or wrong of its options, without the key', async () => {
  expect((await command([])).err).toContain('check requires --url');
  expect((await command(['--url', 'http://localhost'])).err).toContain('check requires --key');
  const spaced = await command(['--url', 'http://localhost', '--key', 'a key']);
  expect(spaced.err).toContain('The key must be printable ASCII text without spaces.');
  expect(spaced.err).not.toContain('a key');
  const path = join(folder(), 'profile.json');
  writeFileSync(path, '{"version":1,"decisions":{"list-order":"random"}}');
  const args = ['--url', 'http://localhost', '--key', KEY, '--profile', path];
  expect(await command(args)).toMatchObject({
    code: 2,
    err: expect.stringContaining('decisions.list-order'),
  });
});

test('check takes products of several families in one flag or in several', async () => {
  const run = async (...flags: string[]) => {
    const { out } = await checkSandbox('--json', '--only', 'Limits', ...flags);
    return JSON.parse(out).probes.map(({ why }: { why?: string }) => why);
  };
  const one = await run('--product', 'motor=8,micro-health=9');
  expect(await run('--product', 'motor=8', '--product', 'micro-health=9')).toEqual(one);
  expect(one.some((why: string | undefined) => /product/.test(why ?? ''))).toBe(true);
});
