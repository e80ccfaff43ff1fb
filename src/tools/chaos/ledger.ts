/*
 * What the sandboxes and the tests of one run note down. A program may have sandboxes in several processes, which share
 * a folder for it.
 */

import type { OperationId } from '../../types/public.ts';
import { fileFunctions } from '../../world/platform.ts';
import type { Bought } from './public.ts';

/** A World was called for the first time, or for the first time in a test. */
interface WorldNote {
  readonly kind: 'world';
  readonly world: string;
  /** The name of its merchant; empty if the sandbox gave it one. */
  readonly name: string;
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

export interface Ledger {
  add(note: LedgerNote): void;
  /** Adds the note of a new World. Returns its number among those of this name, start and test, from 0. */
  addWorld(note: WorldNote): number;
  /** Throws if the notes are lost. */
  read(): readonly LedgerNote[];
}

/** The notes of Worlds are kept apart, so that a new one is numbered quickly. */
type Part = 'worlds' | 'notes';
const PARTS: readonly Part[] = ['worlds', 'notes'];

const createLedgerOf = (
  append: (part: Part, note: LedgerNote) => void,
  read: (part: Part) => readonly LedgerNote[],
): Ledger => ({
  add: (note) => append('notes', note),
  addWorld(note) {
    append('worlds', note);
    try {
      return numberIn(read('worlds'), note);
    } catch {
      return -1;
    }
  },
  read: () => PARTS.flatMap(read),
});

/** The number of a World among those of its name, its start and the attempt of its test. */
function numberIn(notes: readonly LedgerNote[], own: WorldNote): number {
  const isAlike = ({ name, start, test }: WorldNote) =>
    name === own.name &&
    start === own.start &&
    test?.id === own.test?.id &&
    test?.attempt === own.test?.attempt;
  return notes
    .filter((note) => note.kind === 'world' && isAlike(note))
    .findIndex((note) => note.kind === 'world' && note.world === own.world);
}

/** A ledger of the sandboxes in this process. */
export function createLedger(): Ledger {
  const parts: Readonly<Record<Part, LedgerNote[]>> = { worlds: [], notes: [] };
  return createLedgerOf(
    (part, note) => void parts[part].push(note),
    (part) => parts[part],
  );
}

/** Begins the files of a ledger in an empty folder. */
export function beginSharedLedger(folder: string): void {
  for (const part of PARTS) fileFunctions().writeFileSync(`${folder}/${part}`, '');
}

/**
 * A ledger of several processes, in a folder. It is written at once, because a process may be killed. A call is answered
 * even if its note cannot be written: who reads the ledger finds that out. Throws on platforms without files.
 */
export function openSharedLedger(folder: string): Ledger {
  const { appendFileSync, readFileSync } = fileFunctions();
  return createLedgerOf(
    (part, note) => {
      try {
        // One write, so that lines of several processes do not mix. A line that was cut ends at the next one.
        appendFileSync(`${folder}/${part}`, `\n${JSON.stringify(note)}\n`);
      } catch {}
    },
    (part) => readFileSync(`${folder}/${part}`, 'utf8').split('\n').flatMap(parseNote),
  );
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
