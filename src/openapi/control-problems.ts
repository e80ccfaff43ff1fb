import { ControlError, type ControlStatus } from '../control/problems.ts';
import type { Json } from './schemas.ts';

/** The name of the schema of refusals. */
export const PROBLEM_NAME = 'Problem';

export const PROBLEM: Json = {
  type: 'object',
  description: 'Why a call was refused (RFC 9457).',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string', examples: ['about:blank'] },
    title: { type: 'string', description: 'The status in words.' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'What was wrong, or what to do about it.' },
    errors: {
      type: 'array',
      items: { type: 'string' },
      description: 'Every problem of a request, the first of them in `detail` too.',
    },
    operations: {
      type: 'array',
      items: { type: 'string' },
      description: 'The operations there are, where an unknown one was named.',
    },
    found: { type: 'integer', description: 'How many exchanges came, where more were awaited.' },
    misses: {
      type: 'array',
      items: { type: 'object', description: 'An `entry` of the journal and its `differences`.' },
      description: 'The exchanges that came nearest to what was awaited.',
    },
  },
};

/** Why a call is refused, and what it then says. */
export const REASONS: Readonly<
  Record<ControlStatus, { readonly description: string; readonly detail: string }>
> = {
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
  405: {
    description: 'The path does not take this method.',
    detail: '/_sandbox/reset takes POST, not GET.',
  },
  408: {
    description: 'The time to wait is over; `misses` holds what came nearest.',
    detail: 'Waited PT5S for 2 of verifyMotorPolicy with status 200; 1 came.',
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
};

/** The problem a call answers with that status. */
export const problemExample = (status: ControlStatus) =>
  new ControlError(status, REASONS[status].detail).problem;
