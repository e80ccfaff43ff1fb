/* The refusals of the control plane as its document shows them. */

import { z } from '@hono/zod-openapi';
import { onFirstUse } from '../world/on-first-use.ts';
import { ControlError, type ControlStatus } from './control-error.ts';
import { EXAMPLE } from './fields.ts';

/** The body of every refusal. */
export const Problem = onFirstUse(() =>
  z
    .strictObject({
      type: z.string().meta({ examples: ['about:blank'] }),
      title: z.string().meta({ description: 'The HTTP status in words.' }),
      status: z.int().min(400).max(599).meta({ description: 'The HTTP status.' }),
      detail: z.string().meta({ description: 'What is wrong, or what to do about it.' }),
      errors: z
        .array(z.string())
        .meta({ description: 'Every problem of the request; `detail` repeats the first.' })
        .optional(),
    })
    .openapi('Problem')
    .meta({ description: 'Why a request was refused (RFC 9457).' }),
);

/** The description of a refusal, and an example of its detail. */
export interface Reason {
  readonly description: string;
  readonly detail: string;
}

/** The statuses whose reason is the same everywhere. */
export type ExpectedStatus = Exclude<ControlStatus, 405 | 409>;

const REASONS: Readonly<Record<ExpectedStatus, Reason>> = {
  400: { description: 'The body is not JSON.', detail: 'The request body must be valid JSON.' },
  401: {
    description: 'The key or the admin token is missing or wrong.',
    detail: "A merchant's API key is required: Authorization: Bearer <key>.",
  },
  403: {
    description: 'The request is from another machine, or from a page of another site.',
    detail: 'Pages of https://elsewhere.example may not control this sandbox.',
  },
  404: {
    description: 'Not found.',
    detail: 'No fault rule has the id "fault-9".',
  },
  408: {
    description:
      'The wait timed out. `detail` says what the nearest call was, and why it was refused.',
    detail: `Waited PT2S for 2 of ${EXAMPLE.verify} with status 200; found 1. The nearest call, req-3-2: ${EXAMPLE.verify} returned 400: Token has expired`,
  },
  413: {
    description: 'The body is too large.',
    detail: 'The request body must not be larger than 1048576 bytes.',
  },
  415: {
    description: 'The Content-Type is not application/json.',
    detail: 'The Content-Type header must be application/json.',
  },
  422: {
    description: 'The request is invalid. `errors` lists every problem.',
    detail: 'effect.status: expected at least 200, got 42',
  },
  503: {
    description: 'The sandbox is closing.',
    detail: `The sandbox is closing. Waited for 2 of ${EXAMPLE.verify} with status 200; found 1.`,
  },
  507: {
    description:
      'The change could not be saved to the state file, so it was not made. The first call with a new key is a change too, if unknown keys open Worlds.',
    detail:
      'The change could not be saved, so it was not made: sandbox.json.log: there is no space left to write it',
  },
};

/** The responses of a route for these refusals. */
export const problems = <Status extends ExpectedStatus>(
  ...statuses: readonly Status[]
): Record<Status, ReturnType<typeof problemResponse>> =>
  Object.fromEntries(
    statuses.map((status) => [status, problemResponse(status, REASONS[status])]),
  ) as Record<Status, ReturnType<typeof problemResponse>>;

/** The response of a refusal. */
export function problemResponse(status: ExpectedStatus | 409, { description, detail }: Reason) {
  return {
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
        example: new ControlError(status, detail).problem,
      },
    },
  };
}
