import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import type { AssumptionCount } from '../src/control/schemas/assumptions.ts';
import type { Advanced, ClockChange, ClockState } from '../src/control/schemas/clock.ts';
import type { Fault, NewFault } from '../src/control/schemas/faults.ts';
import type { Expectation, JournalEntry, JournalQuery } from '../src/control/schemas/journal.ts';
import type { MerchantState, NewMerchant } from '../src/control/schemas/merchants.ts';
import type { TakenSnapshot } from '../src/control/snapshot.ts';
import type { SandboxState as SavedState } from '../src/control/state.ts';
import type { Component } from '../src/core/schema.ts';
import type { Connection as WireConnection } from '../src/http/received.ts';
import type * as open from '../src/public.ts';

/*
 * The published types are written by hand, because they must need no other package. These lines do not
 * compile when one of them says anything else than the schema that checks and answers it.
 */

/** Whether two types are one, readonly or not. */
type Same<A, B> = Identical<Plain<A>, Plain<B>>;
type Identical<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** A type without `readonly`. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T;

type Sent<C> = C extends Component<infer S> ? z.input<S> : never;
type Answered<C> = C extends Component<infer S> ? z.output<S> : never;

/** Inputs that take any form of a moment, as the control plane takes them. */
type WithText<T, Key extends keyof T> = Omit<T, Key> & { readonly [K in Key]?: string | undefined };

const same = <A, B>(_: Same<A, B>) => true;

test('the published types are those of the control plane, both ways', () => {
  const held = [
    same<open.NewFault, Sent<typeof NewFault>>(true),
    same<open.FaultRule, Answered<typeof Fault>>(true),
    same<open.JournalQuery, Sent<typeof JournalQuery>>(true),
    same<open.JournalEntry, Answered<typeof JournalEntry>>(true),
    same<open.Expectation, Sent<typeof Expectation>>(true),
    same<open.AssumptionCount, Answered<typeof AssumptionCount>>(true),
    same<open.MerchantState, Answered<typeof MerchantState>>(true),
    same<open.ClockState, Answered<typeof ClockState>>(true),
    same<open.AdvancedClock, Answered<typeof Advanced>>(true),
    same<WithText<open.NewMerchant, 'now'>, Sent<typeof NewMerchant>>(true),
    same<WithText<open.ClockChange, 'now'>, Sent<typeof ClockChange>>(true),
    same<open.Snapshot, TakenSnapshot>(true),
    same<open.SandboxState, SavedState>(true),
    same<open.Connection, WireConnection>(true),
  ];
  expect(held).not.toContain(false);
});

test('types that differ are seen to differ', () => {
  const seen = [
    same<{ a: string }, { a: string | null }>(false),
    same<{ a: string }, { a: string; b: number }>(false),
    same<{ a: string }, { a: string; b?: number }>(false),
    same<{ a?: string }, { a: string }>(false),
    same<{ a: 'x' }, { a: 'x' | 'y' }>(false),
    same<{ a: { b: number }[] }, { a: { b: string }[] }>(false),
    same<{ readonly a: string }, { a: string }>(true),
  ];
  expect(seen).toHaveLength(7);
});
