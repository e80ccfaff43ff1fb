import { TimeSourceError } from '../world/clock.ts';

/** What a control call answers when it can't do what was asked: `application/problem+json` (RFC 9457). */
export interface ProblemDocument {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: keyof typeof TITLES;
  /** What to do about it. */
  readonly detail: string;
  readonly [more: string]: unknown;
}

const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
} as const;

/** The statuses of refusals; 500 is a bug of ours. */
export type ControlStatus = Exclude<keyof typeof TITLES, 500>;

/** A method or a call of the control plane that was refused, or an option; nothing was changed. The message says why. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /** What the same call answers over HTTP: 422 for what is wrong in itself, 404, 409, 408, 503, 507. */
  readonly status: ControlStatus;
  /** What else the problem document has: `errors`, and `found` and `misses` of a call that was awaited. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(status: ControlStatus, detail: string, more: Readonly<Record<string, unknown>> = {}) {
    super(detail);
    this.status = status;
    this.more = more;
  }

  /** Every problem, each beginning with its place: `effect.status: expected at least 200, got 42`. The message has the first. */
  get errors(): readonly string[] {
    const { errors } = this.more;
    return Array.isArray(errors) ? errors : [this.message];
  }

  /** What the same call answers over HTTP: its `application/problem+json`. */
  get problem(): ProblemDocument {
    return problemDocument(this.status, this.message, this.more);
  }
}

/** The problem document of whatever a call failed with. */
export function problemOf(error: unknown): ProblemDocument {
  if (error instanceof ControlError) return error.problem;
  if (error instanceof TimeSourceError) return problemDocument(500, error.message, {});
  const what = error instanceof Error ? error.message : String(error);
  return problemDocument(500, `The sandbox has a defect, please report it: ${what}`, {});
}

export const problemDocument = (
  status: ProblemDocument['status'],
  detail: string,
  more: Readonly<Record<string, unknown>>,
): ProblemDocument => ({ type: 'about:blank', title: TITLES[status], status, detail, ...more });
