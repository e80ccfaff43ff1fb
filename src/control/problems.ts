/* The refusals of the control plane as its document shows them. */

import { z } from '@hono/zod-openapi';
import { ControlError, type ControlStatus } from './control-error.ts';
import { namedOutput } from './fields.ts';

/** The body of every refusal. */
export const Problem = namedOutput('Problem', 'Why a request was refused (RFC 9457).', () => ({
  type: z.string().meta({ examples: ['about:blank'] }),
  title: z.string().describe('The HTTP status in words.'),
  status: z.int().min(400).max(599).describe('The HTTP status.'),
  detail: z.string().describe('What is wrong, or what to do about it.'),
  errors: z
    .array(z.string())
    .describe('Every problem of the request; `detail` repeats the first.')
    .optional(),
}));

/** The statuses whose reason is the same everywhere. */
export type ExpectedStatus = Exclude<ControlStatus, 405 | 409>;

const REASONS: Readonly<Record<ExpectedStatus, string>> = {
  400: 'The body is not JSON.',
  401: 'The key or the admin token is missing or wrong.',
  403: 'The request is from another machine, or from a page of another site.',
  404: 'Not found.',
  408: 'The wait timed out. `detail` says what the nearest call was, and why it was refused.',
  413: 'The body is too large.',
  415: 'The Content-Type is not application/json.',
  422: 'The request is invalid. `errors` lists every problem.',
  503: 'The sandbox is closing.',
  507: 'The change could not be saved to the state file, so it was not made. The first call with a new key is a change too, if unknown keys open Worlds.',
};

/** The responses of a route for these refusals. */
export const problems = (...statuses: readonly ExpectedStatus[]) =>
  Object.fromEntries(statuses.map((status) => [status, problemResponse(status, REASONS[status])]));

/** The response of a refusal. */
export const problemResponse = (status: ExpectedStatus | 409, description: string) => ({
  description,
  ...(status === 401 && {
    headers: {
      'WWW-Authenticate': {
        description: 'How to authenticate.',
        schema: { type: 'string' as const },
      },
    },
  }),
  content: {
    'application/problem+json': {
      schema: Problem(),
      example: new ControlError(status, description).problem,
    },
  },
});
