import { z } from '@hono/zod-openapi';
import { ControlError, type ControlStatus } from './control-error.ts';
import { EXAMPLE } from './fields.ts';

/** The body of every refusal. */
export const Problem = z
  .strictObject({
    type: z.string().meta({ examples: ['about:blank'] }),
    title: z.string().meta({ description: 'The status in words.' }),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: 'What was wrong, or what to do about it.' }),
    errors: z
      .array(z.string())
      .meta({ description: 'Every problem of a request, the first of them in `detail` too.' })
      .optional(),
    operations: z
      .array(z.string())
      .meta({ description: 'The operations there are, where an unknown one was named.' })
      .optional(),
    found: z
      .int()
      .meta({ description: 'How many calls came, where more were awaited.' })
      .optional(),
    misses: z
      .array(
        z
          .record(z.string(), z.unknown())
          .meta({ description: 'An `entry` of the journal and its `differences`.' }),
      )
      .meta({ description: 'The calls that came nearest to what was awaited.' })
      .optional(),
  })
  .openapi('Problem')
  .meta({ description: 'Why a call was refused (RFC 9457).' });

/** Why a call is refused, and what it then says. */
interface Reason {
  readonly description: string;
  readonly detail: string;
}

const REASONS: Readonly<Record<Exclude<ControlStatus, 405>, Reason>> = {
  400: { description: 'The body is not JSON.', detail: 'The request body must be valid JSON.' },
  401: {
    description: 'The key or the admin token is missing or wrong.',
    detail: "This call asks for a merchant's key, as Authorization: Bearer.",
  },
  403: {
    description: 'The caller is not on this machine, or a page of another site.',
    detail: 'A page of https://elsewhere.example may not control this sandbox.',
  },
  404: {
    description: 'There is no such thing.',
    detail: 'There is no fault "fault-9"; GET /_sandbox/faults lists those there are.',
  },
  408: {
    description: 'The time to wait is over; `misses` holds what came nearest.',
    detail: `Waited PT5S for 2 of ${EXAMPLE.verify} with status 200; 1 came.`,
  },
  409: {
    description: 'A clock does not go back.',
    detail:
      'to lies before 2026-01-31T10:00:00.000Z, which the clock shows; clocks move forward only. POST /_sandbox/reset starts over.',
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
    description: 'Something in the request is wrong; `errors` holds every problem.',
    detail: 'effect.status: expected at least 200, got 42',
  },
  503: {
    description: 'The sandbox is closing.',
    detail: `The sandbox is closing: of 2 of ${EXAMPLE.verify} with status 200 that were waited for, 1 came.`,
  },
  507: {
    description: 'The change could not be written to the state file, so it was not made.',
    detail: 'sandbox.json.log: the change can not be kept (ENOSPC), so it was not made.',
  },
};

/** The refusals that every call with a JSON body can meet. */
export const BODY_PROBLEMS = [400, 413, 415, 422] as const;

/** The refusal that every call which changes something can meet. */
export const CHANGE_PROBLEMS = [507] as const;

/** The refusals of a route, as its document declares them. */
export const problems = <Status extends keyof typeof REASONS>(
  ...statuses: readonly Status[]
): Record<Status, ReturnType<typeof problemResponse>> =>
  Object.fromEntries(statuses.map((status) => [status, problemResponse(status)])) as Record<
    Status,
    ReturnType<typeof problemResponse>
  >;

/** A refusal as a document declares it. Its reason is the usual one of its status unless given. */
export function problemResponse(
  status: keyof typeof REASONS,
  { description, detail }: Reason = REASONS[status],
) {
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
        schema: Problem,
        example: new ControlError(status, detail).problem,
      },
    },
  };
}
