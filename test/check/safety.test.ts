import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { isThisMachine } from '../../src/tools/check/target.ts';
import { runCheck, serve, watched, withoutControl } from './support.ts';

const ELSEWHERE = 'https://provider.example';
const NOTHING_BOUGHT =
  'provider.example is not this machine, so nothing was bought or renewed. Use --buy to allow it.';

describe('a server that returns JSON for every path does not count as a sandbox', () => {
  const clock = { now: '2026-01-31T10:00:00.000Z', mode: 'running' };
  const other = { id: 'req-1', operation: 'listGroupLifePolicies', method: 'GET', status: 200 };
  const journal = { data: [{ ...other, path: '/api' }] };

  test.each([
    ['without a clock', { success: true, data: [] }, journal],
    ['with more to its clock', { ...clock, zone: 'Africa/Lagos' }, journal],
    ['with a clock and no journal', clock, clock],
    ['with a clock and a journal of other calls', clock, journal],
  ])('%s', async (_what, toClock, toJournal) => {
    const sandbox = serve();
    const report = await runCheck(
      async (request) => {
        const response = await sandbox(request);
        if (!request.url.includes('/_sandbox')) return response;
        return Response.json(request.url.includes('/journal') ? toJournal : toClock);
      },
      { readOnly: true },
    );
    expect(report.control_plane).toBe(false);
  });
});

describe('on another machine', () => {
  test('a check buys and renews nothing and says so', async () => {
    const server = watched(withoutControl(serve()));
    const report = await runCheck(server.fetch, { url: ELSEWHERE });
    expect(server.bought()).toEqual([]);
    expect(server.methods()).toEqual(new Set(['GET', 'POST']));
    expect(report).toMatchObject({ differences: [], read_only: true, notes: [NOTHING_BOUGHT] });
    const skipped = report.calls.find(({ operation }) => operation === 'verifyGroupLifePolicy');
    expect(skipped?.reason).toBe('purchases on another machine require --buy');
  });

  test('a check of a sandbox does not buy or change its control plane either', async () => {
    const server = watched(serve());
    const report = await runCheck(server.fetch, { url: 'http://sandbox:4015' });
    expect(server.bought()).toEqual([]);
    expect(report.notes[0]).toMatch(/^sandbox:4015 is a sandbox on another machine/);
    expect(new Set(server.toControl().map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  test.each([
    [ELSEWHERE, true],
    ['http://127.0.0.1:4015', false],
  ])('a proxy on this machine counts as its target: %s', async (target, isElsewhere) => {
    const sandbox = withoutControl(serve());
    const server = watched(async (request) =>
      request.url.endsWith('/_sandbox/journal')
        ? Response.json({ target, data: [] })
        : sandbox(request),
    );
    const report = await runCheck(server.fetch, { url: 'http://localhost:4016' });
    expect(report.read_only).toBe(isElsewhere);
    expect(server.bought().length > 0).toBe(!isElsewhere);
    expect(report.notes).toEqual(isElsewhere ? [NOTHING_BOUGHT] : []);
  });

  test('--buy buys, with GET and POST only', async () => {
    const server = watched(withoutControl(serve()));
    const report = await runCheck(server.fetch, { url: ELSEWHERE, buy: true });
    expect(server.bought().length).toBeGreaterThan(20);
    expect(server.methods()).toEqual(new Set(['GET', 'POST']));
    expect(report).toMatchObject({ differences: [], read_only: false, notes: [] });
  });
});

test.each([
  ['http://127.9.8.7:4015', true],
  ['http://127.1', true],
  ['http://0x7f000001', true],
  ['http://[::1]:4015', true],
  ['http://[::ffff:127.0.0.1]', true],
  ['http://LocalHost.', true],
  ['http://api.localhost', true],
  ['http://sandbox:4015', false],
  ['http://0.0.0.0', false],
  ['http://[::ffff:10.0.0.1]', false],
  ['http://localhost.example', false],
  ['http://127.0.0.1.nip.example', false],
  ['http://notlocalhost', false],
])('%s is this machine: %s', (url, expected) => {
  expect(isThisMachine(url)).toBe(expected);
});

test('the key is never sent to the host of a page URL', async () => {
  const hosts = new Set<string>();
  const sandbox = createSandbox({ publicUrl: 'https://elsewhere.example/base' });
  const report = await runCheck((request) => {
    hosts.add(new URL(request.url).host);
    return sandbox.fetch(request);
  });
  expect([...hosts]).toEqual(['localhost']);
  expect(report.differences).toEqual([]);
  expect(report.notes).toEqual([
    'Page URLs point to https://elsewhere.example. The check followed their path and query on the given URL.',
  ]);
});
