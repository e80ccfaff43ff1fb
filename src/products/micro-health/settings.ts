/* What a profile can set of micro-health. */

import { z } from '@hono/zod-openapi';
import { anyDigits, type FieldMeta, identityNumber, optional } from '../../api/request-fields.ts';
import { imageIn } from '../../api/request-forms.ts';
import { IDENTITY_LENGTH } from '../../world/limits.ts';
import { choice, type Settings, setting } from '../../world/settings.ts';
import { type Instant, monthsBetween } from '../../world/time.ts';
import { assumed } from '../named-schemas.ts';

/** That a field may be left out, as a profile sets it. */
const OPTIONAL = { required: false } as const;
const optionalSchema = () => z.strictObject({ required: z.literal(false) });

/** The identity number: eleven digits, any digits, or eleven digits where it is given. */
export const NIN_NUMBER = setting<'eleven' | 'any' | typeof OPTIONAL>('nin-number', {
  published: 'eleven',
  allowed: ['eleven', 'any', OPTIONAL],
  schema: () => z.union([z.enum(['eleven', 'any']), optionalSchema()]),
});

/** An identity number. Code knows the published field, and reads no identity number of a purchase. */
export function identityNumberIn(settings: Settings, whose: string, meta: FieldMeta) {
  const value = NIN_NUMBER.in(settings);
  const length = value === 'any' ? 'any number of digits' : `${IDENTITY_LENGTH} digits`;
  const described = { ...meta, description: `${whose}, ${length}.` };
  const schema: z.ZodType =
    value === 'any'
      ? anyDigits(described)
      : value === 'eleven'
        ? identityNumber(described)
        : optional(identityNumber(described));
  return schema as ReturnType<typeof identityNumber>;
}

/** Whether the URL of the identity document may be left out. */
export const ID_URL = setting<'required' | typeof OPTIONAL>('id-url', {
  published: 'required',
  allowed: ['required', OPTIONAL],
  schema: () => z.union([z.literal('required'), optionalSchema()]),
});

/** The URL of an identity document. */
export function documentUrlIn(settings: Settings, meta: FieldMeta) {
  const schema = imageIn(settings, meta);
  const isRequired = ID_URL.in(settings) === 'required';
  return (isRequired ? schema : optional(schema)) as typeof schema;
}

/** What adds months to a moment. */
type AddMonths = (at: Instant, months: number) => Instant;

/** The months of a cover: those after which it ends, or nearly, if it was written under another rule. */
function monthsOf(anchor: Instant, end: Instant, add: AddMonths): number {
  const months = monthsBetween(anchor, end);
  const missesBy = (count: number) => Math.abs(add(anchor, count) - end);
  // A month that overflows ends in the next one.
  return missesBy(months - 1) < missesBy(months) ? months - 1 : months;
}

/** Where a renewed cover ends: all paid months from the anchor, or those of the renewal from the end before. */
export const TOP_UP_ANCHOR = choice('top-up-anchor', {
  anchor: {
    endOf: (anchor: Instant, end: Instant, months: number, add: AddMonths) =>
      add(anchor, monthsOf(anchor, end, add) + months),
  },
  end: {
    endOf: (_anchor: Instant, end: Instant, months: number, add: AddMonths) => add(end, months),
  },
});

/** Whether an amount must be the premium. */
export const AMOUNT_CHECK = choice('amount-check', {
  exact: {
    says: 'Any other amount is refused.',
    accepts: (amount: number, premium: number) => amount === premium,
  },
  ignore: { says: 'Other amounts are accepted too.', accepts: () => true },
});

/** How a subscriber stands in the list. */
interface ListedForm {
  schemaOf(subscription: z.ZodType): z.ZodType;
  present<S extends { readonly subscriptions: unknown }>(subscriber: S): S;
}

/** Whether the list shows the one subscription of a subscriber itself, or in a list. */
export const SUBSCRIPTIONS_KEY = choice<Record<'object' | 'array', ListedForm>>(
  'subscriptions-key',
  {
    object: {
      schemaOf: (subscription) => subscription,
      present: (subscriber) => subscriber,
    },
    array: {
      schemaOf: (subscription) =>
        z
          .array(subscription)
          .length(1)
          .meta(
            assumed('The one subscription of this subscriber, in a list.', 'subscriptions-key'),
          ),
      present: (subscriber) => ({ ...subscriber, subscriptions: [subscriber.subscriptions] }),
    },
  },
);
