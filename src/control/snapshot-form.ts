import * as z from 'zod/mini';
import { isClockInstant } from '../core/clock.ts';
import type { FaultRule } from '../core/faults.ts';
import type { JournalEntry as Entry } from '../core/journal-entry.ts';
import { component } from '../core/schema.ts';
import type { ProductFamily } from '../products/family.ts';
import { CatalogueProduct } from '../products/product.ts';
import { anyFamilies } from '../products/world.ts';
import { Fault } from './schemas/faults.ts';
import { JournalEntry } from './schemas/journal.ts';

/** The form of a chance. */
export const chanceForm = () =>
  z.strictObject({
    state: z.array(z.int().check(z.gte(-(2 ** 31)), z.lt(2 ** 32))).check(
      z.length(4),
      // Nothing but zeros makes nothing but zeros.
      z.refine((state) => state.some((part) => part !== 0), { error: 'a number other than 0' }),
    ),
  });

const moment = () =>
  z.iso
    .datetime({ precision: 3 })
    .check(
      z.refine((text) => isClockInstant(Date.parse(text)), { error: 'a moment a clock can show' }),
    );

const familyForm = (family: ProductFamily) =>
  z.strictObject({
    records: family.records(),
    pending: z.array(
      z.strictObject({ token: z.string(), initiated_at: moment(), details: family.details() }),
    ),
    used: z.array(z.string()),
  });

/** The form of the `world` of a snapshot. */
export const WorldForm = component('SnapshotWorld', () =>
  z.strictObject({
    merchant_id: z.int().check(z.gte(1)),
    clock: z.strictObject({ mode: z.enum(['running', 'frozen']), now: moment() }),
    chance: chanceForm(),
    fault_chance: chanceForm(),
    sequences: z.record(z.string(), z.int().check(z.gte(0))),
    expired_tokens: z.array(z.tuple([z.string(), z.enum(anyFamilies.map(({ key }) => key))])),
    faults: z.array(Fault()),
    journal: z.array(JournalEntry()),
    assumed: z.array(z.tuple([z.string(), z.int().check(z.gte(1))])),
    products: z.array(CatalogueProduct()),
    families: z.strictObject(
      Object.fromEntries(anyFamilies.map((family) => [family.key, familyForm(family)])),
    ),
  }),
);

/** A family's part of a snapshot. */
export interface FamilyDump {
  readonly records: object;
  readonly pending: readonly { token: string; initiated_at: string; details: object }[];
  readonly used: readonly string[];
}

type Form = z.output<ReturnType<typeof WorldForm>>;

/** The `world` of a snapshot whose form is right. */
export type WorldDump = Omit<Form, 'families' | 'faults' | 'journal'> & {
  readonly families: Readonly<Record<string, FamilyDump>>;
  readonly faults: FaultRule[];
  readonly journal: readonly Entry[];
};
