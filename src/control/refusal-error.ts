/* The error of `merchant.data` and `merchant.buy`: a call that is no success. */

import type { JournalEntry, OperationId } from '../types/public.ts';
import { recognizeCopies } from '../world/error-classes.ts';
import { faultWords } from '../world/faults.ts';
import { printable } from '../world/printable.ts';
import { truncate } from '../world/problem-texts.ts';

/** The journal entry of a call, and what its client received. */
interface FailedCall {
  readonly operation: OperationId;
  readonly status: number;
  readonly body: unknown;
  /** Undefined if the journal does not have it. */
  readonly entry:
    | Pick<JournalEntry, 'fault' | 'problems' | 'cause' | 'status' | 'elapsed_ms'>
    | undefined;
}

/**
 * A call of the merchant API was not a success: the service refused it, or a fault responded. The message has every
 * problem, one per line.
 *
 * @example
 * try {
 *   await merchant.buy('micro_health', { amount: 1 });
 * } catch (error) {
 *   if (error instanceof RefusalError) console.log(error.problems[0]?.field); // amount
 * }
 */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
  readonly operation: OperationId;
  /** The HTTP status of the response. */
  readonly status: number;
  /** Why the service refused. Empty if a fault responded. */
  readonly problems: JournalEntry['problems'];
  /** The body of the response. */
  declare readonly body: unknown;

  constructor({ operation, status, body, entry }: FailedCall) {
    const problems = entry?.problems ?? [];
    const because = entry?.cause === undefined ? [] : [printable(`  ${entry.cause}`)];
    super(
      [headOf({ operation, status, body, entry }), ...problems.map(lineOf), ...because].join('\n'),
    );
    this.operation = operation;
    this.status = status;
    this.problems = problems;
    // Consoles and test runners print enumerable fields, and would repeat what the message says.
    Object.defineProperty(this, 'body', { value: body });
  }
}

recognizeCopies(RefusalError, 'RefusalError');

const lineOf = ({ message }: { readonly message: string }): string => `- ${printable(message)}`;

function headOf({ operation, status, body, entry }: FailedCall): string {
  if (entry && entry.problems.length > 0) return `${operation} was refused with status ${status}:`;
  if (entry?.fault) {
    const words = faultWords(entry.fault, entry.status, entry.elapsed_ms ?? 0);
    return printable(`${operation} returned ${status} under the fault ${words}`);
  }
  return printable(`${operation} returned ${status}: ${truncate(body)}`);
}
