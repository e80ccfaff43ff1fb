import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/contract/client.ts';
import { isThisMachine } from '../../src/contract/target.ts';
import { createSandbox } from '../../src/index.ts';
import { KEY, OTHER_KEY, runCheck, serve, withoutControl } from './support.ts';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** A server that remembers what it was sent. */
function watched(fetch: Fetch): { readonly fetch: Fetch; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (request) => {
      const { pathname: path } = new URL(request.url);
      sent.push({ method: request.method, path, body: await request.clone().text() });
      return fetch(request);
    },
  };
}

const bought = ({ sent }: { readonly sent: readonly Sent[] }): readonly Sent[] =>
  sent.filter(({ path, method }) => method === 'POST' && /initiate|verify|top_up/.test(path));

const ELSEWHERE = 'https://provider.example';

describe('a check sends no PUT and no DELETE', () => {
  test.each([
    ['to the provider', { url: ELSEWHERE }],
    ['to the provider where it buys', { url: ELSEWHERE, buy: true }],
    ['on this machine', {}],
    ['when it only reads', { readOnly: true }],
  ])('%s', async (_name, options) => {
    const server = watched(withoutControl(serve()));
    await runCheck(server.fetch, { otherKey: OTHER_KEY, families: ['motor'], ...options });
    expect(new Set(server.sent.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']));
  });

  test('to the merchant API of a sandbox either', async () => {
    const server = watched(serve());
    await runCheck(server.fetch, { families: ['motor'] });
    const others = server.sent.filter(({ method }) => method !== 'GET' && method !== 'POST');
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(({ path }) => !path.startsWith('/_sandbox/'))).toEqual([]);
  });

  test('where a wrong method could change something, only a sandbox is asked', async () => {
    const lists = ({ sent }: { readonly sent: readonly Sent[] }) =>
      sent.filter(({ method, path }) => method === 'POST' && path.endsWith('/all_subscriptions'));
    const [provider, sandbox] = [watched(withoutControl(serve())), watched(serve())];
    await runCheck(provider.fetch, { families: ['micro_health'] });
    await runCheck(sandbox.fetch, { families: ['micro_health'] });
    expect(lists(provider)).toEqual([]);
    expect(lists(sandbox)).toHaveLength(1);
  });
});

describe('what answers JSON to any path is no sandbox', () => {
  const clock = { now: '2026-01-31T10:00:00.000Z', mode: 'running' };
  const entry = { id: 'req-1', operation: 'listMotorPolicies', method: 'GET', status: 200 };

  test.each([
    ['nothing of a clock', { success: true, data: [] }],
    ['a clock with more to it', { ...clock, zone: 'Africa/Lagos' }],
    ['a clock, and a journal of other calls', { ...clock }],
    ['what a journal could say', { ...entry, data: [entry], path: '/api' }],
  ])('%s', async (_name, body) => {
    const server = watched(serve());
    const fetch: Fetch = async (request) => {
      const response = await server.fetch(request);
      const isControl = new URL(request.url).pathname.startsWith('/_sandbox');
      return isControl ? Response.json(body) : response;
    };
    const report = await runCheck(fetch, { families: ['motor'] });
    expect(report.control_plane).toBe(false);
    const control = server.sent.filter(({ path }) => path.startsWith('/_sandbox'));
    expect(new Set(control.map(({ method }) => method))).toEqual(new Set(['GET']));
  });
});

describe('off this machine', () => {
  test('nothing is bought or renewed, and the report says so', async () => {
    const server = watched(withoutControl(serve()));
    const report = await runCheck(server.fetch, { url: ELSEWHERE });
    expect(bought(server)).toEqual([]);
    expect(report.differences).toEqual([]);
    expect(report.read_only).toBe(true);
    expect(report.notes).toEqual([
      'provider.example is not this machine: nothing was bought or renewed. --buy does that.',
    ]);
    const skipped = report.calls.find(({ operation }) => operation === 'verifyMotorPolicy');
    expect(skipped?.reason).toBe('nothing is bought off this machine without --buy');
  });

  test('a sandbox is no exception, and no control plane of it is changed', async () => {
    const server = watched(serve());
    const report = await runCheck(server.fetch, { url: 'http://sandbox:4015' });
    expect(bought(server)).toEqual([]);
    expect(report.notes[0]).toMatch(/^sandbox:4015 is a sandbox, but not on this machine/);
    const control = server.sent.filter(({ path }) => path.startsWith('/_sandbox'));
    expect(control.every(({ method }) => method === 'GET')).toBe(true);
  });

  test.each([
    ['https://provider.example', 0],
    ['http://127.0.0.1:4015', 20],
  ])('a proxy on this machine is where it leads to: before %s', async (target, least) => {
    const sandbox = withoutControl(serve());
    const server = watched(async (request) =>
      request.url.endsWith('/_sandbox/journal')
        ? Response.json({ target, data: [] })
        : sandbox(request),
    );
    const options = { url: 'http://localhost:4016', families: ['motor'] };
    const report = await runCheck(server.fetch, options);
    expect(report.read_only).toBe(least === 0);
    if (least > 0) expect(bought(server).length).toBeGreaterThan(least);
    else {
      expect(bought(server)).toEqual([]);
      expect(report.notes).toEqual([
        'provider.example is not this machine: nothing was bought or renewed. --buy does that.',
      ]);
    }
  });

  test('--buy buys', async () => {
    const server = watched(withoutControl(serve()));
    const options = { url: ELSEWHERE, buy: true, families: ['motor'] };
    const report = await runCheck(server.fetch, options);
    expect(bought(server).length).toBeGreaterThan(20);
    expect(report).toMatchObject({ read_only: false, notes: [] });
    expect(report.differences).toEqual([]);
  });

  test('--buy and --read-only exclude each other', async () => {
    await expect(runCheck(serve(), { buy: true, readOnly: true })).rejects.toThrow(
      /--buy and --read-only exclude each other/,
    );
  });
});

describe('this machine is', () => {
  test.each([
    ['http://127.0.0.1:4015', true],
    ['http://127.9.8.7', true],
    ['http://127.1', true],
    ['http://0x7f000001', true],
    ['http://2130706433', true],
    ['http://[::1]:4015', true],
    ['http://[0:0:0:0:0:0:0:1]', true],
    ['http://[::ffff:127.0.0.1]', true],
    ['http://localhost:4015', true],
    ['http://LocalHost.', true],
    ['http://api.localhost', true],
    ['http://sandbox:4015', false],
    ['http://0.0.0.0', false],
    ['http://10.0.0.1', false],
    ['http://[::ffff:10.0.0.1]', false],
    ['http://localhost.example', false],
    ['http://127.0.0.1.nip.example', false],
    ['http://notlocalhost', false],
  ])('%s: %s', (url, expected) => {
    expect(isThisMachine(url)).toBe(expected);
  });
});

test('whom a check buys for can not be there: numbers of no network, addresses of nobody', async () => {
  const server = watched(serve());
  await runCheck(server.fetch);
  const text = bought(server)
    .map(({ body }) => body)
    .join('\n');
  const numbers = text.match(/(?<!\d)\d{11}(?!\d)/g) ?? [];
  expect([...new Set(numbers)].toSorted()).toEqual([
    '09990000000',
    '09990000001',
    '99900000000',
    '99999999999',
  ]);
  const addresses = text.match(/[^"\s]+@[\w.-]+/g) ?? [];
  const accepted = addresses.filter((address) => /^[\w.-]+@/.test(address));
  expect(accepted.every((address) => /@(example\.com|a\.b)$/.test(address))).toBe(true);
});

test('the key that was given goes to no other address, whatever page URLs say', async () => {
  const hosts = new Set<string>();
  const sandbox = createSandbox({ publicUrl: 'https://elsewhere.example/base' });
  const watching: Fetch = (request) => {
    hosts.add(new URL(request.url).host);
    return sandbox.fetch(request);
  };
  const report = await runCheck(watching, { families: ['micro_health'] });
  expect([...hosts]).toEqual(['localhost']);
  expect(report.differences).toEqual([]);
  expect(report.notes).toEqual([
    'Page URLs lead to https://elsewhere.example: they were followed by path and query on the address given.',
  ]);
  expect(sandbox.merchant(KEY).show().id).toBe(1);
});
