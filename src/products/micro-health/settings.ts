/* What a profile can set of micro-health. */

import { z } from '@hono/zod-openapi';
import { choice } from '../../world/settings.ts';
import { assumed } from '../named-schemas.ts';

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
