import { TimeSourceError } from '../world/clock.ts';

/** The body of a refused control-plane request: `application/problem+json` (RFC 9457). */
export interface ProblemDocument {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: keyof typeof TITLES;
  /** What is wrong, or what to do about it. */
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

/** The statuses of refusals. 500 is a bug of the sandbox. */
export type ControlStatus = Exclude<keyof typeof TITLES, 500>;

/**
 * A method of the sandbox, a control-plane request or an option was refused. The message says why. Nothing was changed.
 *
 * @example
 * try {
 *   merchant.clock.advance({ to: '2020-01-01T00:00:00Z' });
 * } catch (error) {
 *   if (error instanceof ControlError) console.log(error.status, error.message); // 409
 * }
 */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /**
   * The HTTP status of the same refusal: 404 not found, 408 timed out, 409 conflict, 422 invalid input, 503 closing,
   * 507 not saved.
   */
  readonly status: ControlStatus;
  /** More fields of the problem document: `errors`; `found` and `misses` of `journal.await`. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(status: ControlStatus, detail: string, more: Readonly<Record<string, unknown>> = {}) {
    super(detail);
    this.status = status;
    this.more = more;
  }

  /** Every problem, with its place: `effect.status: expected at least 200, got 42`. `message` is the first. */
  get errors(): readonly string[] {
    const { errors } = this.more;
    return Array.isArray(errors) ? errors : [this.message];
  }

  /** The problem document of the same refusal over HTTP. */
  get problem(): ProblemDocument {
    return problemDocument(this.status, this.message, this.more);
  }
}

/** The problem document of any error. */
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
