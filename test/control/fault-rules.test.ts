import { describe, expect, test } from 'vitest';
import { createClient } from '../support/client.ts';
import { control } from '../support/control.ts';

const drop = { stage: 'before', effect: { kind: 'drop' } } as const;

test('a rule is answered whole, listed in the order it was added, and removed by its id', async () => {
  const { sandbox, merchant } = createClient();
  const key = merchant.apiKey;
  const body = {
    match: { operation: 'verifyMotorPolicy', body: { token: 'x' } },
    stage: 'after',
    effect: { kind: 'respond', status: 500, body: { any: ['thing'] } },
    times: 3,
    probability: 0.5,
  };
  const added = await control(sandbox, 'addFault', { key, body });
  expect(added.body).toEqual({ id: 'fault-1', ...body });
  expect((await control(sandbox, 'addFault', { key, body: drop })).body).toEqual({
    id: 'fault-2',
    match: {},
    ...drop,
    times: 1,
    probability: 1,
  });
  expect(merchant.faults.list().map(({ id }) => id)).toEqual(['fault-1', 'fault-2']);
  expect((await control(sandbox, 'removeFault', { key, id: 'fault-1' })).status).toBe(204);
  const again = await control(sandbox, 'removeFault', { key, id: 'fault-1' });
  expect([again.status, again.body.detail]).toEqual([
    404,
    'There is no fault "fault-1"; GET /_sandbox/faults lists those there are.',
  ]);
  await control(sandbox, 'clearFaults', { key });
  expect(merchant.faults.list()).toEqual([]);
  expect(merchant.faults.add(drop).id).toBe('fault-3');
});

test.each([
  [
    { ...drop, effect: { kind: 'dorp' } },
    'effect.kind: expected "respond" or "delay" or "drop" or "truncate" or "malformed" or "hang", got "dorp"; did you mean "drop"?',
  ],
  [{ ...drop, effect: 'drop' }, 'effect: expected object, got "drop"'],
  [{ ...drop, effect: { kind: 'delay' } }, 'effect.ms: expected number, got nothing'],
  [
    { ...drop, effect: { kind: 'delay', ms: 600_001 } },
    'effect.ms: expected at most 600000, got 600001',
  ],
  [{ ...drop, effect: { kind: 'delay', ms: -1 } }, 'effect.ms: expected at least 0, got -1'],
  [{ ...drop, effect: { kind: 'delay', ms: 1.5 } }, 'effect.ms: expected whole number, got 1.5'],
  [
    { ...drop, effect: { kind: 'respond', status: 199 } },
    'effect.status: expected at least 200, got 199',
  ],
  [
    { ...drop, effect: { kind: 'respond', status: 600 } },
    'effect.status: expected at most 599, got 600',
  ],
  [
    { ...drop, effect: { kind: 'respond', status: 503, headers: { 'Retry After': '3' } } },
    'effect.headers: expected the name of a header that is neither of the connection nor of the sandbox, got "Retry After"',
  ],
  [
    { ...drop, effect: { kind: 'respond', status: 503, headers: { 'Content-Length': '3' } } },
    'effect.headers: expected the name of a header that is neither of the connection nor of the sandbox, got "Content-Length"',
  ],
  [
    { ...drop, effect: { kind: 'respond', status: 503, headers: { 'Retry-After': '3\r\nX: y' } } },
    'effect.headers.Retry-After: expected a value that HTTP allows, got "3\\r\\nX: y"',
  ],
  [
    { ...drop, effect: { kind: 'respond', status: 503, headers: { 'Sandbox-Request-Id': 'x' } } },
    'effect.headers: expected the name of a header that is neither of the connection nor of the sandbox, got "Sandbox-Request-Id"',
  ],
  [
    { ...drop, effect: { kind: 'respond', status: 503, headers: { 'Retry-After': 3 } } },
    'effect.headers.Retry-After: expected string, got 3',
  ],
  [{ ...drop, effect: { kind: 'drop', headers: {} } }, 'effect: unknown "headers"'],
  [{ ...drop, effect: { kind: 'drop', ms: 5 } }, 'effect: unknown "ms"'],
  [{ effect: { kind: 'drop' } }, 'stage: expected "before" or "after", got nothing'],
  [{ ...drop, times: 0 }, 'times: expected at least 1, got 0'],
  [{ ...drop, times: -3 }, 'times: expected at least 1, got -3'],
  [{ ...drop, times: '2' }, 'times: expected number, got "2"'],
  [{ ...drop, probability: 1.01 }, 'probability: expected at most 1, got 1.01'],
  [{ ...drop, probability: -0.01 }, 'probability: expected at least 0, got -0.01'],
  [
    { ...drop, match: { operation: 'verifyMotor' } },
    'match.operation: there is no operation "verifyMotor"; did you mean "verifyMotorPolicy"?',
  ],
  [{ ...drop, match: { path: '/' } }, 'match: unknown "path"'],
  [{ ...drop, match: { body: [] } }, 'match.body: expected object, got []'],
])('the rule %j is refused: %s', async (body, detail) => {
  const { sandbox, merchant } = createClient();
  const before = merchant.snapshot();
  const answer = await control(sandbox, 'addFault', { key: merchant.apiKey, body });
  expect([answer.status, answer.body.detail]).toEqual([422, detail]);
  expect(() => merchant.faults.add(body as never)).toThrow(detail);
  expect(merchant.snapshot()).toEqual(before);
});

describe('what a World takes of fault rules', () => {
  const respondWith = (body: string) =>
    ({ stage: 'before', effect: { kind: 'respond', status: 503, body } }) as const;
  /** The longest body of a rule that matches anything. */
  const LONGEST = 1024 * 1024 - JSON.stringify([{}, respondWith('').effect]).length;

  test('is 1 MiB for each, in bytes', () => {
    const { merchant } = createClient();
    merchant.faults.add(respondWith('x'.repeat(LONGEST)));
    const before = merchant.snapshot();
    const told = 'the fault: expected at most 1 MiB of match and effect, got 1,048,577 bytes';
    expect(() => merchant.faults.add(respondWith(`${'x'.repeat(LONGEST - 1)}é`))).toThrow(told);
    const match = { body: { note: 'x'.repeat(1024 * 1024) } };
    expect(() => merchant.faults.add({ ...drop, match })).toThrow('at most 1 MiB of match');
    expect(merchant.snapshot()).toEqual(before);
  });

  test('is 1,000 at a time, over HTTP as well', async () => {
    const { sandbox, merchant } = createClient();
    for (let rule = 0; rule < 1000; rule++) merchant.faults.add(drop);
    const answer = await control(sandbox, 'addFault', { key: merchant.apiKey, body: drop });
    expect([answer.status, answer.body.detail]).toEqual([
      422,
      'A World has at most 1,000 fault rules; remove some with DELETE /_sandbox/faults.',
    ]);
    merchant.faults.remove('fault-1');
    expect(merchant.faults.add(drop).id).toBe('fault-1001');
  });
});

test('a rule shares nothing with the code that adds or lists it', async () => {
  const { merchant } = createClient();
  const body = { words: ['one'] };
  const match = { body: { token: 'a' } };
  merchant.faults.add({ stage: 'before', effect: { kind: 'respond', status: 500, body }, match });
  body.words.push('two');
  match.body.token = 'b';
  const [listed] = merchant.faults.list();
  Object.assign(listed as object, { times: 99, stage: 'after' });
  expect(merchant.faults.list()).toMatchObject([
    {
      match: { body: { token: 'a' } },
      stage: 'before',
      effect: { body: { words: ['one'] } },
      times: 1,
    },
  ]);
});

test('what can not be written as JSON makes no rule', () => {
  const { merchant } = createClient();
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  for (const body of [1n, circular]) {
    expect(() =>
      merchant.faults.add({ stage: 'before', effect: { kind: 'respond', status: 500, body } }),
    ).toThrow('can not be written as JSON');
  }
  expect(merchant.faults.list()).toEqual([]);
});
