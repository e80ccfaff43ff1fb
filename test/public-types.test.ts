import { describe, expect, expectTypeOf, test } from 'vitest';
import type * as main from '../src/index.ts';
import { createSandbox, sampleRequests } from '../src/index.ts';
import type * as node from '../src/node.ts';
import type * as open from '../src/types/public.ts';
import { createClient } from './support/client.ts';
import { buy, initiate } from './support/requests.ts';

/** The places of optional fields in a type of an argument that do not take `undefined`. */
type StrictField<T> = T extends Leaf
  ? never
  : T extends readonly (infer Item)[]
    ? StrictField<Item>
    : {
        [Key in keyof T & string]: object extends Pick<T, Key>
          ? { [K in Key]: undefined } extends Pick<T, Key>
            ? Below<Key, StrictField<Exclude<T[Key], undefined>>>
            : Key
          : Below<Key, StrictField<T[Key]>>;
      }[keyof T & string];

/** The same for all functions in a type, and for what they return. */
type StrictArgument<T> = T extends typeof globalThis.fetch
  ? never
  : T extends (...given: infer Given) => infer Returned
    ? StrictField<Given[number]> | StrictArgument<Awaited<Returned>>
    : T extends Leaf
      ? never
      : T extends readonly (infer Item)[]
        ? StrictArgument<Item>
        : { [Key in keyof T & string]: Below<Key, StrictArgument<T[Key]>> }[keyof T & string];

/** What has no options of ours. */
type Leaf = undefined | null | string | number | boolean | symbol | Date | Headers | AnyFunction;
type AnyFunction = (...given: never[]) => unknown;

type Below<Key extends string, Place> = Place extends string ? `${Key}.${Place}` : never;

test('every option and argument may be undefined', () => {
  expectTypeOf<StrictArgument<Pick<typeof main, 'createSandbox'>>>().toEqualTypeOf<never>();
  expectTypeOf<
    StrictArgument<Pick<typeof node, 'startSandbox' | 'chaos'>>
  >().toEqualTypeOf<never>();
  // The type finds what it looks for.
  type Example = (given: { a?: 1; b: { c?: 2 | undefined; d?: 3 }[] }) => { e(f: { g?: 4 }): void };
  expectTypeOf<StrictArgument<Example>>().toEqualTypeOf<'a' | 'b.d' | 'e.g'>();
});

test('profiles are typed, as literals and as JSON files', () => {
  const profile: open.Profile = { version: 1, decisions: { 'list-order': 'newest-first' } };
  const file = { version: 1, decisions: { 'list-order': 'newest-first' } };
  // What TypeScript reads of a JSON file has no narrower types than these.
  expectTypeOf(file).toExtend<open.Profile>();
  // @ts-expect-error No assumption has this name.
  const misspelt: open.Profile = { version: 1, decisions: { 'list-ordr': 'newest-first' } };
  expect(() => createSandbox({ profile: misspelt })).toThrow('did you mean "list-order"?');

  const health = {
    policies: [],
    prices: [{ product_id: 1, users: 1, monthly: 1, quarterly: 2, annually: 3 }],
  };
  const sandbox = createSandbox({ profile, fixtures: { 'micro-health.json': health } });
  expect(
    sandbox.createMerchant({ records: 'demo' }).records({ family: 'micro_health' }).data,
  ).toEqual([]);
});

describe('the journal', () => {
  test('types the bodies of an entry by its operation', async () => {
    const client = createClient();
    const bought = await buy(client, 'motor');
    const [entry] = client.merchant.journal.list();
    if (entry?.operation !== 'verifyMotorPolicy') throw new Error('The last call was no verify');

    expectTypeOf(entry.request.body).toEqualTypeOf<open.MotorVerifyRequest | null>();
    expect(entry.request.body?.token).toMatch(/^CMP/);
    // @ts-expect-error A verify takes nothing but a token.
    expect(entry.request.body?.policy_number).toBeUndefined();

    const answer = entry.response?.body;
    if (!answer?.success) throw new Error(`Refused: ${answer?.data.error.join(' ')}`);
    expectTypeOf(answer).toEqualTypeOf<open.MotorVerifyResponse>();
    expect(answer.data.policy_number).toBe(bought.policy_number);
  });

  test('types listed and awaited entries by the operation asked for', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    const operation = 'initiateMotorPolicy';
    const [listed] = client.merchant.journal.list({ operation, limit: 1 });
    const [awaited] = await client.merchant.journal.await({ operation });
    const [ofAll] = client.sandbox.journal({ operation });
    expectTypeOf(listed).toEqualTypeOf<open.JournalEntry<typeof operation> | undefined>();
    expectTypeOf(awaited).toEqualTypeOf<open.JournalEntry<typeof operation> | undefined>();
    expectTypeOf(ofAll).toEqualTypeOf<open.JournalEntry<typeof operation> | undefined>();
    expect(listed?.request.body?.chasis_no).toBe('2T1BURHE5FC301482');
    for (const entry of [listed, awaited, ofAll]) {
      const body = entry?.response?.body;
      expect(body?.success && body.data.token).toBe(token);
    }
    expect(ofAll?.merchant?.id).toBe(client.merchant.id);
  });

  test('accepts known operations only', async () => {
    const { sandbox, merchant } = createClient();
    const message = 'did you mean "getMotorQuote"?';
    // @ts-expect-error No operation has this name.
    expect(() => merchant.journal.list({ operation: 'getMotorQote' })).toThrow(message);
    // @ts-expect-error No operation has this name.
    await expect(merchant.journal.await({ operation: 'getMotorQote' })).rejects.toThrow(message);
    // @ts-expect-error No operation has this name.
    expect(() => sandbox.journal({ operation: 'getMotorQote' })).toThrow(message);
  });
});

test('faults and records accept known operations and families only', () => {
  const { merchant } = createClient();
  const fault = { stage: 'after', effect: { kind: 'drop' } } as const;
  const rule = merchant.faults.add({ ...fault, match: { operation: 'verifyMotorPolicy' } });
  expectTypeOf(rule.match.operation).toEqualTypeOf<open.OperationId | undefined>();
  // @ts-expect-error No operation has this name.
  expect(() => merchant.faults.add({ ...fault, match: { operation: 'verifyMotor' } })).toThrow(
    'did you mean "verifyMotorPolicy"?',
  );
  // @ts-expect-error No family has this name.
  expect(() => merchant.records({ family: 'marine' })).toThrow('micro_health');
});

test('sample requests fit clients of openapi-typescript and hey-api, whose optional fields take no undefined', () => {
  /** As both generators write it. */
  interface Generated {
    first_beneficiary_full_name?: string | null;
    profile_url?: string | null;
  }
  const body: Generated = sampleRequests.initiateMicroHealthSubscription;
  expect(body.profile_url).not.toBe(undefined);
});
