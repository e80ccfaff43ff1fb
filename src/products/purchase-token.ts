import { z } from '@hono/zod-openapi';
import { type FieldMeta, lookupText } from '../api/request-fields.ts';
import { bySettings } from '../api/request-forms.ts';
import type { AssumptionId } from '../world/assumptions.ts';
import { SHARED_SETTINGS } from '../world/settings.ts';

/* Every family is bought in two steps: initiate answers a token, verify is sent it. */

/** The form of a family's tokens, and how to say it. */
interface TokenForm {
  readonly form: RegExp;
  readonly says: string;
}

/** The token in the response of an initiate. */
export const tokenField = (
  example: string,
  issued: TokenForm,
  ...assumptions: readonly AssumptionId[]
) =>
  z.string().meta({
    ...bySettings(SHARED_SETTINGS, ({ tokenBoundary }) => ({
      description: `Completes the purchase within 15 minutes; at 15:00.000 it ${tokenBoundary === 'exclusive' ? 'has expired' : 'is valid still'}.`,
    })),
    examples: [example],
    'x-assumptions': [...assumptions, 'token-boundary'],
    'x-issued': { as: 'token', ...issued },
  });

/** The `data` of an initiate that answers nothing else. */
export const purchaseToken = (name: string, example: string, issued: TokenForm) =>
  z
    .strictObject({ token: tokenField(example, issued, 'token-format') })
    .openapi(name)
    .meta({ description: 'The token of a pending purchase.', examples: [{ token: example }] });

/** The body of a verify. */
export const verifyRequest = (name: string, example: string, meta: FieldMeta = {}) =>
  z
    .object({
      token: lookupText({
        description: 'The token that initiate answered.',
        examples: [example],
        'x-assumptions': ['token-unknown'],
        ...meta,
      }),
    })
    .openapi(name)
    .meta({ description: 'The purchase to complete.', examples: [{ token: example }] });
