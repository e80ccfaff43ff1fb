import * as z from 'zod/mini';
import type { AssumptionId } from '../core/assumptions.ts';
import { component, describe, type Meta } from '../core/schema.ts';
import { soughtText } from '../http/request-fields.ts';

/* Every family is bought in two steps: initiate answers a token, verify is sent it. */

/** The token in the answer of an initiate. */
export const tokenField = (example: string, ...decisions: readonly AssumptionId[]) =>
  describe(z.string(), {
    description: 'Completes the purchase within 15 minutes.',
    examples: [example],
    'x-assumptions': decisions,
  });

/** The `data` of an initiate that answers nothing else. */
export const purchaseToken = (componentName: string, example: string) =>
  component(componentName, () => z.strictObject({ token: tokenField(example, 'token-format') }), {
    description: 'The token of a pending purchase.',
    examples: [{ token: example }],
  });

/** The body of a verify. */
export const verifyRequest = (componentName: string, example: string, meta: Meta = {}) =>
  component(
    componentName,
    () =>
      z.object({
        token: soughtText({
          description: 'The token that initiate answered.',
          examples: [example],
          'x-assumptions': ['token-unknown'],
          ...meta,
        }),
      }),
    { description: 'The purchase to complete.', examples: [{ token: example }] },
  );
