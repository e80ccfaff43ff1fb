/*
 * What the sandboxes of one run write down: each call that arrives, and each that has ended. A program may have
 * sandboxes in several processes, which share a folder for it.
 */

import type { JournalEntryJson } from '../../control-wire.ts';
import type { OperationId } from '../../public.ts';
import { fileFunctions } from '../../world/platform.ts';

/** A call that has ended, or will never be answered. */
export interface EndedCall {
  readonly entry: JournalEntryJson;
  /** Whether it had the failure of the run. */
  readonly isDisturbed: boolean;
  /** The name of the customer, if it bought something. */
  readonly customer?: string | undefined;
}

/** What a run has written down so far. */
export interface RunRecord {
  /** How many calls of each operation arrived, in the order of their first calls. */
  readonly counts: ReadonlyMap<OperationId, number>;
  /** In the order in which they ended. */
  readonly calls: readonly EndedCall[];
}

export interface Ledger {
  /** Counts a call that arrives. Returns its number among those of its operation, from 1. */
  countCall(operation: OperationId): number;
  addCall(call: EndedCall): void;
  read(): RunRecord;
}

/** A ledger of the sandboxes in this process. */
export function createLedger(): Ledger {
  const counts = new Map<OperationId, number>();
  const calls: EndedCall[] = [];
  return {
    countCall(operation) {
      const number = (counts.get(operation) ?? 0) + 1;
      counts.set(operation, number);
      return number;
    },
    addCall: (call) => void calls.push(call),
    read: () => ({ counts, calls }),
  };
}

/** A line of the file in the folder: a call that arrived, or one that has ended. */
type Line = OperationId | EndedCall;

/**
 * A ledger of several processes, in an existing folder. It is written at once, because a process may be killed.
 * Throws on platforms without files.
 */
export function createSharedLedger(folder: string): Ledger {
  const { appendFileSync, linkSync, readFileSync } = fileFunctions();
  const file = `${folder}/calls`;
  const numbers = new Map<OperationId, number>();
  // One write, so that lines of several processes do not mix.
  const append = (line: Line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  appendFileSync(file, '');
  return {
    countCall(operation) {
      let number = numbers.get(operation) ?? 0;
      // Only one process can give the file a name, which is cheaper than a new file.
      do number++;
      while (!creates(() => linkSync(file, `${folder}/${operation}-${number}`)));
      numbers.set(operation, number);
      append(operation);
      return number;
    },
    addCall: append,
    read() {
      const { counts, calls } = {
        counts: new Map<OperationId, number>(),
        calls: [] as EndedCall[],
      };
      // A line that a process is writing is not whole.
      for (const each of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
        const line: Line = JSON.parse(each);
        if (typeof line === 'string') counts.set(line, (counts.get(line) ?? 0) + 1);
        else calls.push(line);
      }
      return { counts, calls };
    },
  };
}

/** Whether something could be created that nobody has created before. */
function creates(create: () => void): boolean {
  try {
    create();
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST') return false;
    throw error;
  }
}
