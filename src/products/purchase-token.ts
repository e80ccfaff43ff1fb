import { z } from '@hono/zod-openapi';
import { type FieldMeta, lookupText } from '../api/request-fields.ts';
import { bySettings } from '../api/request-forms.ts';
import type { AssumptionId } from '../world/assumptions.ts';
import { SHARED_SETTINGS } from '../world/settings.ts';
import { namedRequest, namedResponse, withExample } from './named-schemas.ts';

/* A purchase takes two steps: initiate answers a token, and verify takes it. */

/** The form of a family's tokens, as a pattern and in words. */
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
export const purchaseToken = (name: string, token: string, issued: TokenForm) =>
  namedResponse(
    name,
    { description: 'The token of a pending purchase.' },
    { token: tokenField(token, issued, 'token-format') },
    { token },
  );

/** The body of a verify. */
export const verifyRequest = (name: string, token: string, meta: FieldMeta = {}) =>
  namedRequest(
    name,
    { description: 'The purchase to complete.' },
    {
      token: lookupText({
        ...withExample('The token that initiate answered.', token, 'token-unknown'),
        ...meta,
      }),
    },
  );
