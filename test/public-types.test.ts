import type { z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import type { AssumptionCount } from '../src/control/assumptions.ts';
import type { AdvancedClock, Clock, ClockChange } from '../src/control/clock.ts';
import type { Fault, NewFault } from '../src/control/faults.ts';
import type { JournalEntry, JournalQuery } from '../src/control/journal.ts';
import type { SandboxEntry, SandboxJournalQuery } from '../src/control/journal-all.ts';
import type { Expectation } from '../src/control/journal-wait.ts';
import type { MerchantState } from '../src/control/merchant-state.ts';
import type { NewMerchant } from '../src/control/merchants.ts';
import type { PendingPurchase } from '../src/control/purchases.ts';
import type { RecordPage, RecordQuery } from '../src/control/records.ts';
import type { SandboxState as SavedState } from '../src/control/sandbox-state.ts';
import type { TakenSnapshot } from '../src/control/snapshot.ts';
import type { Connection as WireConnection } from '../src/http/context.ts';
import type * as open from '../src/public.ts';
import { same } from './support/same-types.ts';

/*
 * The published types are written by hand, because they must need no other package. These lines do not
 * compile when one of them says anything else than the schema that checks and answers it.
 */

/** Inputs that take any form of a moment, as the control plane takes them. */
type WithText<T, Key extends keyof T> = Omit<T, Key> & { readonly [K in Key]?: string | undefined };

test('the published types are those of the control plane, both ways', () => {
  const held = [
    same<open.NewFault, z.input<typeof NewFault>>(true),
    same<open.FaultRule, z.output<typeof Fault>>(true),
    same<open.JournalQuery, z.input<typeof JournalQuery>>(true),
    same<open.JournalEntry, z.output<typeof JournalEntry>>(true),
    same<open.SandboxJournalQuery, z.input<typeof SandboxJournalQuery>>(true),
    same<open.SandboxJournalEntry, z.output<typeof SandboxEntry>>(true),
    same<open.RecordQuery, z.input<typeof RecordQuery>>(true),
    same<open.RecordPage, z.output<typeof RecordPage>>(true),
    same<open.PendingPurchase, z.output<typeof PendingPurchase>>(true),
    same<open.Expectation, z.input<typeof Expectation>>(true),
    same<open.AssumptionCount, z.output<typeof AssumptionCount>>(true),
    same<open.MerchantState, z.output<typeof MerchantState>>(true),
    same<open.ClockState, z.output<typeof Clock>>(true),
    same<open.AdvancedClock, z.output<typeof AdvancedClock>>(true),
    same<WithText<open.NewMerchant, 'now'>, z.input<typeof NewMerchant>>(true),
    same<WithText<open.ClockChange, 'now'>, z.input<typeof ClockChange>>(true),
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
