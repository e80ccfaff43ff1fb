import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/index.ts';
import { BASE, type CallInit, createClient, operationOf, requestOf } from '../support/client.ts';
import { control } from '../support/control.ts';
import { initiate, purchaseOf } from '../support/requests.ts';

/* Why calls were refused, as journals show it. */

const ALL_200 = Object.fromEntries(
  ['invalid', 'token_unknown', 'token_expired', 'unauthenticated', 'route_unknown'].map((code) => [
    code,
    200,
  ]),
);

const PROFILES = [
  ['no profile', {}],
  ['laravel', { 'error-envelope': 'laravel' }],
  ['HTTP 200', { 'http-status': ALL_200 }],
  ['laravel with HTTP 200', { 'error-envelope': 'laravel', 'http-status': ALL_200 }],
] as const;

describe.each(PROFILES)('under %s', (_name, decisions) => {
  /** A client whose calls may be refused in any form. */
  function createCaller() {
    const { sandbox, merchant } = createClient({ profile: { version: 1, decisions } });
    const send = (operationId: string, input: unknown, init?: CallInit) =>
      sandbox.fetch(requestOf(operationOf(operationId), BASE, merchant.apiKey, input, init));
    return { sandbox, merchant, send };
  }

  test('an entry has every problem, each with its field', async () => {
    const { merchant, send } = createCaller();
    await send(
      'initiateMicroHealthSubscription',
      purchaseOf('micro_health', { phone_no: '1', surname: '' }),
    );
    const problems = [
      { rule: 'required', field: 'surname', message: 'The surname field is required.' },
      { rule: 'format', field: 'phone_no', message: 'The phone_no field must be 11 digits.' },
    ];
    expect(merchant.journal.list()[0]?.problems).toEqual(problems);
  });

  test('a refusal that is about no field has its message', async () => {
    const { sandbox, merchant, send } = createCaller();
    await send('verifyMicroHealthSubscription', { token: 'nobody' });
    await sandbox.fetch('/api/nowhere', {
      headers: { authorization: `Bearer ${merchant.apiKey}` },
    });
    await sandbox.fetch('/api/nowhere');
    expect(sandbox.journal().map(({ problems }) => problems)).toEqual([
      [{ rule: 'unauthenticated', message: 'Unauthenticated.' }],
      [{ rule: 'route_unknown', message: 'The route was not found.' }],
      [{ rule: 'token_unknown', message: 'Invalid token' }],
    ]);
  });

  test('a timeout of journal.await says why the nearest call was refused', async () => {
    const { merchant, send } = createCaller();
    await send('getMotorQuote', { vehicle_value: -1 });
    const expected = { operation: 'getMotorQuote', status: 201, timeout: 'PT0S' } as const;
    const waiting = merchant.journal.await(expected);
    await expect(waiting).rejects.toThrow(
      'The product_id field is required. The vehicle_value field must be',
    );
  });
});

test('a success has no problems', async () => {
  const client = createClient();
  await initiate(client, 'motor');
  expect(client.merchant.journal.list()[0]?.problems).toEqual([]);
});

test('every form of an entry has the same problems', async () => {
  const seen: JournalEntry[] = [];
  const { sandbox, merchant, call } = createClient({ onCall: (entry) => void seen.push(entry) });
  await call('getMotorQuote', { product_id: 4 });
  const problems = [
    {
      rule: 'required',
      field: 'vehicle_value',
      message: 'The vehicle_value field is required.',
    },
  ];
  const [entry] = merchant.journal.list();
  const { id = '' } = entry ?? {};
  const key = merchant.apiKey;
  expect(entry?.problems).toEqual(problems);
  expect(sandbox.journal()[0]?.problems).toEqual(problems);
  expect((await control(sandbox, 'getJournalEntry', { key, id })).body.problems).toEqual(problems);
  expect((await control(sandbox, 'listSandboxJournal', {})).body.data[0].problems).toEqual(
    problems,
  );
  expect(seen.map((each) => each.problems)).toEqual([problems]);
});

describe('under a fault', () => {
  const refused = { token: 'nobody' };

  test.each([
    'before; respond; status=503',
    'after; respond; status=503',
    'after; malformed',
    'before; malformed',
  ])("%s: the answer is the fault's, and the entry has no problems", async (fault) => {
    const { merchant, sandbox } = createClient();
    const init = { headers: { 'sandbox-fault': fault } };
    await sandbox.fetch(
      requestOf(operationOf('verifyMotorPolicy'), BASE, merchant.apiKey, refused, init),
    );
    expect(merchant.journal.list()[0]?.problems).toEqual([]);
  });

  test.each(['after; drop', 'after; truncate', 'before; delay; ms=1'])(
    '%s: the entry says why the service refused',
    async (fault) => {
      const { merchant, sandbox } = createClient();
      const init = { headers: { 'sandbox-fault': fault } };
      const request = requestOf(
        operationOf('verifyMotorPolicy'),
        BASE,
        merchant.apiKey,
        refused,
        init,
      );
      await sandbox.fetch(request).catch(() => undefined);
      expect(merchant.journal.list()[0]?.problems).toEqual([
        { rule: 'token_unknown', message: 'Invalid token' },
      ]);
    },
  );
});

describe('a snapshot', () => {
  test('keeps the problems of its calls', async () => {
    const { merchant, call } = createClient();
    await call('getMotorQuote', { product_id: 4 });
    const snapshot = merchant.snapshot();
    const before = merchant.journal.list();
    merchant.reset();
    await merchant.restore(snapshot);
    expect(merchant.journal.list()).toEqual(
      before.map((each) => ({ ...each, received_at: null, elapsed_ms: null })),
    );
  });

  test('whose problems are malformed is refused', async () => {
    const { merchant, call } = createClient();
    await call('getMotorQuote', { product_id: 4 });
    const { version, world } = merchant.snapshot();
    const journal = (world.journal as object[]).map((entry) => ({ ...entry, problems: ['text'] }));
    await expect(async () =>
      merchant.restore({ version, world: { ...world, journal } }),
    ).rejects.toThrow('world.journal.0.problems.0: expected an object, got "text"');
  });
});
