/* What the sandboxes and the tests of one run note down, in a file that they share: a program may have several processes. */

import type { OperationId } from '../../types/public.ts';
import { fileFunctions } from '../../world/platform.ts';
import type { Bought } from './public.ts';

/** A World was called for the first time, or for the first time in a test. */
interface WorldNote {
  readonly kind: 'world';
  readonly world: string;
  /** The name of its merchant; empty if the sandbox gave it one. */
  readonly name: string;
  /** Among the Worlds of this name and this attempt of a test in its process, from 0. */
  readonly number: number;
  /** How reports call it. */
  readonly merchant: string;
  readonly key: string;
  /** Which start of the program this is: a killed one is started again. */
  readonly start: number;
  /** The test that called it. A merchant that several tests share is a World for each. */
  readonly test?: AttemptId | undefined;
}

/** An attempt of a test. Only the kits know. */
export interface AttemptId {
  /** The same in every run. */
  readonly id: string;
  /** From 0: its runner may try a failed test again. */
  readonly attempt: number;
}

/** A call arrived. */
interface CallNote {
  readonly kind: 'call';
  readonly world: string;
  readonly operation: OperationId;
  /** Its number among the calls of its operation in this World, from 1. */
  readonly call: number;
  /** Whether it has the failure of the run. */
  readonly isDisturbed: boolean;
}

/** What a call bought: a policy, or a renewal of one. */
export type Purchase = Omit<Bought, 'count' | 'renewal'> & { readonly policy: string };

/** A call has ended, or will never be answered; or a World was changed otherwise. */
export interface LinesNote {
  readonly kind: 'lines';
  readonly world: string;
  readonly isCall: boolean;
  readonly isDisturbed: boolean;
  /** Its day, by the clock of the World. */
  readonly day: string;
  readonly lines: readonly string[];
  readonly bought?: Purchase | undefined;
}

/** A test began, or ended. */
interface TestNote extends AttemptId {
  readonly kind: 'test';
  /** Undefined as long as it runs. */
  readonly passed?: boolean | undefined;
}

export type LedgerNote = WorldNote | CallNote | LinesNote | TestNote;

/** Adds a note to those of a run. */
export type AddNote = (note: LedgerNote) => void;

const fileIn = (folder: string): string => `${folder}/notes`;

/** Begins the notes of a run in an empty folder. */
export const beginNotes = (folder: string): void =>
  fileFunctions().writeFileSync(fileIn(folder), '');

/**
 * Adds notes to those of a run. They are written at once, because a process may be killed. A call is answered even if its
 * note cannot be written: who reads the notes finds that out. Throws on platforms without files.
 */
export function addingTo(folder: string): AddNote {
  const { appendFileSync } = fileFunctions();
  return (note) => {
    try {
      // One write, so that lines of several processes do not mix. A line that was cut ends at the next one.
      appendFileSync(fileIn(folder), `\n${JSON.stringify(note)}\n`);
    } catch {}
  };
}

/** The notes of a run. Throws if the folder has gone, or if notes may be missing because the disk is full. */
export function readNotes(folder: string): LedgerNote[] {
  const { appendFileSync, readFileSync } = fileFunctions();
  // A full disk has no room for this either.
  appendFileSync(`${folder}/room`, ' '.repeat(4096));
  return readFileSync(fileIn(folder), 'utf8').split('\n').flatMap(parseNote);
}

/** A process that is killed may leave half a line. */
function parseNote(line: string): LedgerNote[] {
  if (line === '') return [];
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
