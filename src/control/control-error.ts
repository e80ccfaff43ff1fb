/* The refusals of the control plane: an error for code, a problem document over HTTP. */

import type { ProblemDocument } from '../types/control-wire.ts';
import { TimeSourceError } from '../world/clock.ts';
import { recognizeCopies } from '../world/error-classes.ts';
import { DomainError } from '../world/errors.ts';
import { printable } from '../world/printable.ts';
import { NotStoredError } from '../world/tables.ts';

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
 * A method of the sandbox, a control-plane request or an option was refused. The message has every problem, one per
 * line, whatever the input was. Nothing was changed.
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
  /** The problem document of the same refusal over HTTP. Its `detail` is the first problem. */
  declare readonly problem: ProblemDocument;

  /** @param problems every problem of the input, of which `detail` is the first */
  constructor(status: ControlStatus, detail: string, problems?: readonly string[]) {
    super([detail, ...(problems?.slice(1) ?? [])].map(printable).join('\n'));
    this.status = status;
    // Consoles and test runners print enumerable fields, and would repeat what the message says.
    Object.defineProperty(this, 'problem', { value: problemDocument(status, detail, problems) });
  }

  /** Every problem, with its place: `effect.status: expected at least 200, got 42`. */
  get problems(): readonly string[] {
    return this.problem.errors ?? [this.message];
  }
}

recognizeCopies(ControlError, 'ControlError');

/** What the caller sees of an error: a change that could not be saved is 507, JSON that could not be read 400 or 413. */
export function seenByCaller(error: unknown): unknown {
  if (error instanceof NotStoredError) return new ControlError(507, error.message);
  if (!(error instanceof DomainError)) return error;
  return new ControlError(error.code === 'too_large' ? 413 : 400, error.message);
}

/** The problem document of any error. */
export function problemOf(thrown: unknown): ProblemDocument {
  const error = seenByCaller(thrown);
  if (error instanceof ControlError) return error.problem;
  if (error instanceof TimeSourceError) return problemDocument(500, error.message);
  const what = error instanceof Error ? error.message : String(error);
  return problemDocument(500, `The sandbox has a defect, please report it: ${what}`);
}

const problemDocument = (
  status: keyof typeof TITLES,
  detail: string,
  problems?: readonly string[],
): ProblemDocument => ({
  type: 'about:blank',
  title: TITLES[status],
  status,
  detail: printable(detail),
  ...(problems && { errors: problems.map(printable) }),
});
