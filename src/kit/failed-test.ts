/* What a failed test leaves: the calls of its merchant as text, and its World in a file that `show` opens. */

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Merchant } from '../public.ts';
import { embeddedObserver } from '../tools/chaos/embedded.ts';
import { readEnvironment } from '../world/platform.ts';
import { printable, shellWord } from '../world/printable.ts';

/** The folder of the files, in the working directory of the test runner. */
const FOLDER = 'sandbox-failures';
/** The newest calls that the runner prints. */
const SHOWN_CALLS = 20;
/** Letters of a title in a file name. */
const MAX_NAME = 60;

/** A failed test. */
export interface FailedTest {
  /** Its name, with the names of the groups around it. */
  readonly title: string;
  /** Different for every test of a run, whatever its title. */
  readonly id: string;
  readonly merchant: Pick<Merchant, 'journal' | 'snapshot'>;
}

/** Saves the World of a failed test, and returns what the test runner should print. Never throws. */
export function describeFailedTest({ title, id, merchant }: FailedTest): string {
  try {
    const calls = merchant.journal.list();
    const earlier = calls.length - SHOWN_CALLS;
    return [
      `Calls of the merchant "${printable(title)}":`,
      ...(earlier > 0 ? [`… ${earlier} earlier`] : []),
      merchant.journal.text({ limit: SHOWN_CALLS }).trimEnd(),
      // Tests that fail under chaos are wanted, and its report shows their calls.
      ...(embeddedObserver() ? [] : ['', saveWorld(title, id, merchant)]),
    ].join('\n');
  } catch (error) {
    return `The calls of this test cannot be shown: ${messageOf(error)}`;
  }
}

/** Saves a World, and returns the command that opens it, or why it could not be saved. */
function saveWorld(title: string, id: string, merchant: FailedTest['merchant']): string {
  const folder = resolve(FOLDER);
  const file = join(folder, fileName(title, id));
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(merchant.snapshot()));
    return `npx micro-insurance-sandbox show ${shellWord(shownPath(file))}`;
  } catch (error) {
    return `The World could not be saved: ${messageOf(error)}`;
  }
}

/**
 * A file name of plain letters. A part of it is made from the id, so that tests of the same title, in two files or two
 * workers, have files of their own, and the next run replaces them.
 */
function fileName(title: string, id: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '');
  const words = plain.replace(/[^A-Za-z0-9]+/g, '-').slice(0, MAX_NAME);
  const name = words.replace(/^-|-$/g, '').toLowerCase() || 'test';
  return `${name}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}.json`;
}

/** The path as it works in the shell: a test runner may have changed its own folder. */
function shownPath(file: string): string {
  const shell = readEnvironment().PWD ?? '.';
  const path = relative(shell, file).replaceAll('\\', '/');
  return path.startsWith('..') ? file : path;
}

const messageOf = (error: unknown): string =>
  printable(error instanceof Error ? error.message : String(error));
