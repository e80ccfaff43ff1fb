import { describe, expect, test } from 'vitest';
import { BASE, createClient, operationOf, requestOf } from '../support/client.ts';
import { control } from '../support/control.ts';
import { familyKeys, initiate, verifyOf } from '../support/requests.ts';

const drop = { stage: 'before', effect: { kind: 'drop' } } as const;
const respond = { stage: 'before', effect: { kind: 'respond', status: 500 } } as const;

test('a rule is returned in full, listed in order of addition, and removed by its id', async () => {
  const { sandbox, merchant } = createClient();
  const key = merchant.apiKey;
  const body = {
    match: { operation: 'verifyMotorPolicy', body: { token: 'x' } },
    stage: 'after',
    effect: { kind: 'respond', status: 500, body: { any: ['thing'] } },
    skip: 2,
    times: 3,
    probability: 0.5,
  };
  const added = [{ id: 'fault-1', ...body }];
  expect((await control(sandbox, 'addFault', { key, body })).body).toEqual(added[0]);
  expect(merchant.faults.add(drop)).toEqual({
    id: 'fault-2',
    match: {},
    ...drop,
    skip: 0,
    times: 1,
    probability: 1,
  });
  expect(merchant.faults.list()).toMatchObject([...added, { id: 'fault-2' }]);
  expect((await control(sandbox, 'removeFault', { key, id: 'fault-1' })).status).toBe(204);
  const again = await control(sandbox, 'removeFault', { key, id: 'fault-1' });
  expect([again.status, again.body.detail]).toEqual([404, 'No fault rule has the id "fault-1".']);
  merchant.faults.clear();
  expect(merchant.faults.list()).toEqual([]);
  expect(merchant.faults.add(drop).id).toBe('fault-3');
});

test('a rule adds at most 50 headers of 8 KiB together, which every client reads', async () => {
  const { merchant, call } = createClient();
  const respondWith = (count: number, bytes: number) => {
    const names = Array.from(
      { length: count },
      (_, place) => `x-${String(place).padStart(2, '0')}`,
    );
    const headers = Object.fromEntries(names.map((name) => [name, 'x'.repeat(bytes)]));
    return { stage: 'before', effect: { kind: 'respond', status: 503, headers } } as const;
  };
  expect(() => merchant.faults.add(respondWith(51, 1))).toThrow(
    'effect.headers: expected at most 50 headers',
  );
  expect(() => merchant.faults.add(respondWith(2, 4093))).toThrow(
    'effect.headers: expected headers of at most 8,192 bytes together',
  );
  merchant.faults.add(respondWith(50, 159));
  const { headers } = await call('verifyMotorPolicy', {});
  expect(headers.get('x-49')).toBe('x'.repeat(159));
});

test('a World has at most 1,000 rules at a time', () => {
  const { merchant } = createClient();
  for (let rule = 0; rule < 1000; rule++) merchant.faults.add(drop);
  expect(() => merchant.faults.add(drop)).toThrow(
    'A World can have at most 1,000 fault rules. Remove rules first.',
  );
  merchant.faults.remove('fault-1');
  expect(merchant.faults.add(drop).id).toBe('fault-1001');
});

test('the rules of a World have at most 16,000,000 characters together', () => {
  const { merchant } = createClient();
  const long = (length: number) => ({
    stage: 'before' as const,
    effect: { kind: 'respond' as const, status: 503, body: 'x'.repeat(length) },
  });
  merchant.faults.add(long(15 * 1024 * 1024));
  expect(() => merchant.faults.add(long(1024 * 1024))).toThrow(
    'A World can have at most 16,000,000 characters of fault rules. Remove rules first.',
  );
  expect(merchant.faults.list()).toHaveLength(1);
  expect(merchant.faults.add(drop).id).toBe('fault-2');
});

test('a rule shares nothing with the code that adds or lists it', async () => {
  const { faults } = createClient().merchant;
  const body = { words: ['one'] };
  const match = { body: { token: 'a' } };
  faults.add({ stage: 'before', effect: { kind: 'respond', status: 500, body }, match });
  const before = JSON.stringify(faults.list());
  body.words.push('two');
  match.body.token = 'b';
  Object.assign(faults.list()[0] as object, { times: 99, stage: 'after' });
  expect(JSON.stringify(faults.list())).toBe(before);
});

/** An object that has `__proto__` as a key of its own, as a parser makes it. */
const withProto = (value: unknown) => JSON.parse(`{"__proto__":${JSON.stringify(value)}}`);

test('a header or a field named __proto__ is refused with its place', async () => {
  const { sandbox, merchant } = createClient();
  const saved = merchant.snapshot();
  const told = 'expected another name, got "__proto__"';
  for (const [rule, place] of [
    [{ ...respond, effect: { ...respond.effect, headers: withProto('x') } }, 'effect.headers'],
    [{ ...respond, match: { body: withProto({}) } }, 'match.body'],
  ] as const) {
    const { status, body } = await control(sandbox, 'addFault', {
      key: merchant.apiKey,
      body: rule,
    });
    expect([status, body.detail]).toEqual([422, `${place}: ${told}`]);
    expect(() => merchant.faults.add(rule)).toThrow(`${place}: ${told}`);
    const faults = [{ id: 'fault-1', match: {}, times: 1, probability: 1, ...rule }];
    const world = { ...saved.world, faults };
    expect(() => merchant.restore({ ...saved, world })).toThrow(`world.faults.0.${place}: ${told}`);
  }
  expect(merchant.faults.list()).toEqual([]);
});

test('a field named __proto__ inside other fields is matched, sent, listed and restored', async () => {
  const { sandbox, merchant } = createClient();
  const body = { data: withProto({ a: 1 }) };
  const effect = { kind: 'respond', status: 500, body: withProto({ b: 2 }) } as const;
  merchant.faults.add({ stage: 'before', effect, match: { body } });
  const listed = JSON.stringify(merchant.faults.list());
  expect(listed).toContain('"body":{"data":{"__proto__":{"a":1}}}');
  merchant.restore(merchant.snapshot());
  expect(JSON.stringify(merchant.faults.list())).toBe(listed);
  const verify = async (input: object) =>
    (
      await sandbox.fetch(requestOf(operationOf('verifyMotorPolicy'), BASE, merchant.apiKey, input))
    ).text();
  expect(await verify({ data: {} })).toContain('"success":false');
  expect(await verify(body)).toBe('{"__proto__":{"b":2}}');
  const [entry] = merchant.journal.list();
  expect(JSON.stringify(entry?.request.body)).toBe('{"data":{"__proto__":{"a":1}}}');
  expect(JSON.stringify(entry?.response?.body)).toBe('{"__proto__":{"b":2}}');
  expect(JSON.stringify(entry?.fault?.effect)).toBe(JSON.stringify(effect));
});

test('a rule that cannot be converted to JSON is refused', () => {
  const { faults } = createClient().merchant;
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  for (const body of [1n, circular]) {
    const effect = { kind: 'respond', status: 500, body } as const;
    expect(() => faults.add({ stage: 'before', effect })).toThrow('cannot be converted to JSON');
  }
  expect(faults.list()).toEqual([]);
});

describe('a rule', () => {
  test('without a match acts on any call, including unknown routes and wrong methods', async () => {
    const { call, sandbox, merchant } = createClient();
    merchant.faults.add({ ...respond, times: 2 });
    const headers = { authorization: `Bearer ${merchant.apiKey}` };
    expect((await sandbox.fetch('/nowhere', { headers })).status).toBe(500);
    expect((await call('getMotorQuote', {}, { method: 'DELETE' })).status).toBe(500);
    expect(merchant.faults.list()).toEqual([]);
  });

  test('acts only on bodies that have its fields, at any depth', async () => {
    const { call, merchant } = createClient();
    const operation = 'initiateGroupLifePolicy';
    const body = { members: [{ gender: 'male' }] };
    merchant.faults.add({ ...respond, match: { operation, body } });
    const statusOf = async (gender: string) =>
      (await call(operation, { members: [{ full_name: 'Ada Obi', gender }] })).status;
    expect([await statusOf('female'), await statusOf('male')]).toEqual([422, 500]);
  });

  test('acts only on queries that have its parameters, of which the last value counts', async () => {
    const { sandbox, merchant } = createClient();
    const { path } = operationOf('listMotorPolicies');
    merchant.faults.add({ ...respond, match: { query: { page: '2' } }, times: 2 });
    const statusOf = async (query: string) => (await merchant.fetch(`${path}${query}`, {})).status;
    expect(await statusOf('')).toBe(200);
    expect(await statusOf('?page=1')).toBe(200);
    expect(await statusOf('?page=2&page=1')).toBe(200);
    expect(await statusOf('?page=2&per_page=5')).toBe(500);
    expect(await statusOf('?page=1&page=2')).toBe(500);
    expect(merchant.faults.list()).toEqual([]);
    const key = merchant.apiKey;
    const body = { ...respond, match: { query: { page: '2' } } };
    expect((await control(sandbox, 'addFault', { key, body })).body.match).toEqual(body.match);
  });

  test.each([
    ['page=2', 'match.query: expected an object, got "page=2"'],
    [{ page: 2 }, 'match.query.page: expected a string, got 2'],
    [{ page: null }, 'match.query.page: expected a string, got null'],
    [['2'], 'match.query: expected an object, got ["2"]'],
    [null, 'match.query: expected an object, got null'],
    [withProto('2'), 'match.query: expected another name, got "__proto__"'],
  ])('with the query %j is refused', async (query, why) => {
    const { sandbox, merchant } = createClient();
    const body = { ...respond, match: { query } };
    const refused = await control(sandbox, 'addFault', { key: merchant.apiKey, body });
    expect([refused.status, refused.body.detail]).toEqual([422, why]);
    expect(merchant.faults.list()).toEqual([]);
  });

  test('with a probability acts on the same calls in every World with the same seed', async () => {
    const met = async () => {
      const { call, merchant } = createClient();
      merchant.faults.add({ ...respond, times: 100, probability: 0.5 });
      const calls = Array.from({ length: 40 }, () => call('listMotorPolicies'));
      return (await Promise.all(calls)).map(({ status }) => status);
    };
    const statuses = await met();
    expect(new Set(statuses)).toEqual(new Set([200, 500]));
    expect(await met()).toEqual(statuses);
  });

  test('that skips calls says how many it still lets pass, also after a restore', async () => {
    const { call, merchant } = createClient();
    merchant.faults.add({ ...respond, match: { operation: 'listMotorPolicies' }, skip: 2 });
    const stateOf = () => merchant.faults.list().map(({ skip, times }) => [skip, times]);
    expect((await call('listMotorPolicies')).status).toBe(200);
    await call('getMotorQuote', {});
    expect(stateOf()).toEqual([[1, 1]]);
    merchant.restore(merchant.snapshot());
    expect(stateOf()).toEqual([[1, 1]]);
    expect((await call('listMotorPolicies')).status).toBe(200);
    expect(stateOf()).toEqual([[0, 1]]);
    expect((await call('listMotorPolicies')).status).toBe(500);
    expect(stateOf()).toEqual([]);
  });

  test('that skips calls counts each of several at the same time once', async () => {
    const { call, merchant } = createClient();
    merchant.faults.add({ ...respond, skip: 3, times: 2 });
    const calls = Array.from({ length: 6 }, () => call('listMotorPolicies'));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 500, 500, 200]);
  });

  test.each([-1, 1.5, '2', null])('that skips %j calls is refused', async (skip) => {
    const { sandbox, merchant } = createClient();
    const body = { ...drop, skip };
    const refused = await control(sandbox, 'addFault', { key: merchant.apiKey, body });
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      expect.stringMatching(/^skip: expected /),
    ]);
  });

  test('does not change the numbers that operations assign', async () => {
    const initiateAfter = async (probability: number) => {
      const client = createClient();
      client.merchant.faults.add({ ...drop, probability, times: 9 });
      await client.call('getMotorQuote', {}).catch(() => undefined);
      client.merchant.faults.clear();
      return initiate(client, 'micro_health');
    };
    expect(await initiateAfter(0.5)).toBe(await initiateAfter(0));
  });
});

describe('the Sandbox-Fault header', () => {
  test.each(familyKeys)(
    'loses the response of one %s verify, which has created its policy',
    async (key) => {
      const { call, merchant } = createClient();
      const token = await initiate({ call }, key);
      const headers = { 'sandbox-fault': 'after; drop' };
      await expect(call(verifyOf[key], { token }, { headers })).rejects.toThrow('fetch failed');
      expect(merchant.show().counts[key]).toBe(1);
      const [entry] = merchant.journal.list();
      expect(entry).toMatchObject({ status: 200, fault: { id: null, stage: 'after' } });
    },
  );

  test('takes precedence over rules and does not use them up', async () => {
    const { call, merchant } = createClient();
    merchant.faults.add(drop);
    const headers = { 'sandbox-fault': 'before; respond; status=418' };
    expect((await call('verifyMotorPolicy', {}, { headers })).status).toBe(418);
    expect(merchant.faults.list()).toHaveLength(1);
  });

  test.each(['nonsense', 'after', 'after; explode', 'before; respond; status=700'])(
    'of "%s" returns 400 and changes nothing',
    async (fault) => {
      const client = createClient();
      const token = await initiate(client, 'motor');
      const headers = { 'sandbox-fault': fault };
      const answer = await client.call('verifyMotorPolicy', { token }, { headers });
      expect(answer.status).toBe(400);
      expect(answer.body.data.error[0]).toContain('after; drop');
      expect(client.merchant.show().counts).toMatchObject({ motor: 0, pending: 1 });
    },
  );

  test('means nothing without a valid key', async () => {
    const headers = { authorization: 'Bearer nobody', 'sandbox-fault': 'before; drop' };
    expect((await createClient().call('getMotorQuote', {}, { headers })).status).toBe(401);
  });
});
