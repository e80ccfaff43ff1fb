import type { z } from '@hono/zod-openapi';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { AssumptionCount } from '../src/control/assumptions.ts';
import type { AdvancedClock, Clock, ClockChange } from '../src/control/clock.ts';
import type { Fault, NewFault } from '../src/control/faults.ts';
import type { JournalQuery } from '../src/control/journal.ts';
import type { SandboxJournalQuery } from '../src/control/journal-all.ts';
import type { JournalEntry } from '../src/control/journal-entry.ts';
import type { Expectation } from '../src/control/journal-wait.ts';
import type { MerchantState, NewMerchant } from '../src/control/merchants.ts';
import type { Product } from '../src/control/products.ts';
import type { PendingPurchase, RecordPage, RecordQuery } from '../src/control/records.ts';
import type { TakenSnapshot } from '../src/control/snapshot.ts';
import type * as main from '../src/index.ts';
import type * as node from '../src/node/index.ts';
import type * as open from '../src/public.ts';
import { createClient } from './support/client.ts';
import { buy, initiate } from './support/requests.ts';
import { same } from './support/same-types.ts';

/*
 * The published types are written by hand, so that they need no other package. These lines do not compile if one of them
 * differs from its schema. They may be narrower: in the schemas, names of operations and families are texts, and a body
 * in the journal is any JSON.
 */

/** A type in the form of the schemas. */
type Wide<T> = T extends open.OperationId | open.Family
  ? string
  : T extends readonly (infer Item)[]
    ? Wide<Item>[]
    : T extends object
      ? { [Key in keyof T]: Wide<T[Key]> }
      : T;

/** An entry of any operation with any bodies. */
type AnyEntry = Omit<open.JournalEntryOf<null>, 'operation'> & Pick<open.JournalEntry, 'operation'>;

/** Inputs with any form of a time, in the form of the control plane. */
type WithText<T, Key extends keyof T> = Omit<T, Key> & { readonly [K in Key]?: string | undefined };

test('the published types and those of the control plane match both ways', () => {
  const held = [
    same<Wide<open.NewFault>, z.input<typeof NewFault>>(true),
    same<Wide<open.FaultRule>, z.output<typeof Fault>>(true),
    same<Wide<open.JournalQuery>, z.input<typeof JournalQuery>>(true),
    same<Wide<AnyEntry>, z.output<typeof JournalEntry>>(true),
    same<Wide<open.SandboxJournalQuery>, z.input<typeof SandboxJournalQuery>>(true),
    same<Wide<open.RecordQuery>, z.input<typeof RecordQuery>>(true),
    same<Omit<open.RecordPage, 'data'>, Omit<z.output<typeof RecordPage>, 'data'>>(true),
    same<Wide<open.PendingPurchase>, z.output<typeof PendingPurchase>>(true),
    same<
      Wide<Omit<open.Product, 'premiums' | 'rate'>>,
      Wide<Pick<z.output<typeof Product>, 'id' | 'family' | 'name' | 'slug' | 'enabled'>>
    >(true),
    same<Wide<open.Expectation>, z.input<typeof Expectation>>(true),
    same<open.AssumptionCount, z.output<typeof AssumptionCount>>(true),
    same<open.MerchantState, z.output<typeof MerchantState>>(true),
    same<open.ClockState, z.output<typeof Clock>>(true),
    same<Wide<open.AdvancedClock>, z.output<typeof AdvancedClock>>(true),
    same<WithText<open.NewMerchant, 'now'>, z.input<typeof NewMerchant>>(true),
    same<WithText<open.ClockChange, 'now'>, z.input<typeof ClockChange>>(true),
    same<open.Snapshot, TakenSnapshot>(true),
  ];
  expect(held).not.toContain(false);
});

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
