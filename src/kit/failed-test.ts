/* What a failed test leaves: the calls of its merchants as text, and their Worlds in files that `show` opens. */

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { inspect, stripVTControlCharacters } from 'node:util';
import { presentItem } from '../control/journal.ts';
import { createJournalWriter } from '../control/journal-text.ts';
import type { MerchantAccount } from '../control/merchant-store.ts';
import { takeSnapshot } from '../control/snapshot.ts';
import { embeddedObserver } from '../tools/chaos/embedded.ts';
import { counted } from '../world/grouped.ts';
import { isEvent } from '../world/journal.ts';
import { readEnvironment } from '../world/platform.ts';
import { printable, quoted, shellWord } from '../world/printable.ts';
import type { Calls, TestRecord } from './test-record.ts';

/** The folder of the files, in the working directory of the test runner. */
const FOLDER = 'sandbox-failures';
/** The merchants, besides that of the kit, whose calls are printed. */
const SHOWN_MERCHANTS = 3;
/** Letters of a title in a file name. */
const MAX_NAME = 60;

/** An attempt of a test. */
export interface TestCase {
  /** The name of the test, with the names of the groups around it. */
  readonly title: string;
  /** Different for every test of a run, whatever its title, and the same in every run. */
  readonly id: string;
  /** From 0. */
  readonly attempt: number;
  /** The path of its file. */
  readonly file: string;
}

/** A test that failed, with what happened in it. */
interface FailedTest extends TestCase {
  readonly record: TestRecord;
  readonly error: unknown;
}

/**
 * Saves the Worlds of a failed test, and returns what the test runner should print; undefined if the test had no
 * merchant and nothing happened. Never throws.
 */
export function describeFailedTest(
  test: TestCase,
  record: TestRecord,
  error: unknown,
): string | undefined {
  try {
    const failed = { ...test, record, error };
    const { own, calls } = record;
    const others = [...calls.keys()].filter((each) => each !== own);
    const shown = others.slice(0, SHOWN_MERCHANTS);
    const more = others.length - shown.length;
    const parts = [
      ...[...(own ? [own] : []), ...shown].map((merchant) => merchantPart(failed, merchant)),
      more > 0 && `… ${counted(more, 'more merchant')} with calls`,
      keylessPart(record),
      blockedPart(record),
    ];
    return parts.filter(Boolean).join('\n\n') || undefined;
  } catch (problem) {
    return `The calls of this test cannot be shown: ${messageOf(problem)}`;
  }
}

/** The calls of a merchant, and its World: of that of the kit, or one that the test created or shares. */
function merchantPart(test: FailedTest, merchant: MerchantAccount): string {
  const { record, title, id } = test;
  const calls = record.calls.get(merchant);
  const isOwn = merchant === record.own;
  const place = [...record.calls.keys()].indexOf(merchant);
  const name = isOwn
    ? fileName(test, title, id)
    : fileName(test, `${title} ${merchant.name}`, `${id} ${place}`);
  const shown = `"${printable(merchant.name)}"`;
  const happened = record.calls.size + record.keyless.count + record.blocked.size > 0;
  const hint = happened ? '' : ' Your code has to send merchant.apiKey to this sandbox.';
  const said = calls?.count
    ? `Calls of the merchant ${shown}${isOwn ? '' : whose(record)}:\n${callsText(calls)}`
    : `The merchant ${shown} got no calls.${hint}`;
  // Tests that fail under chaos are wanted, so it saves nothing. Its report shows their calls.
  return embeddedObserver() ? said : `${said}\n\n${saveWorld(test, merchant, name)}`;
}

const keylessPart = (record: TestRecord): string | undefined =>
  record.keyless.count === 0
    ? undefined
    : `Calls without a valid key${whose(record)}. Your code has to send merchant.apiKey:\n${callsText(record.keyless)}`;

/** The pages that cannot read responses, each with the option that allows it. */
function blockedPart(record: TestRecord): string | undefined {
  const lines = [...record.blocked].map(([origin, allow]) => {
    const cors = quoted(allow.length === 1 ? allow[0] : allow);
    return printable(`page of ${origin}: use createTest({ cors: ${cors} })`);
  });
  if (lines.length === 0) return undefined;
  return [`Pages whose origin is not allowed${whose(record)}:`, ...lines].join('\n');
}

/** Tests that run at the same time share a sandbox. */
const whose = ({ isShared }: TestRecord): string =>
  isShared ? ', of this test or one that ran at the same time' : '';

function callsText({ count, newest }: Calls): string {
  const earlier = count - newest.filter((item) => !isEvent(item)).length;
  const write = createJournalWriter();
  const lines = newest.flatMap((item) => write(presentItem(item)));
  return [...(earlier > 0 ? [`… ${earlier} earlier`] : []), ...lines].join('\n');
}

/** Saves a World, and returns the command that opens it, or why it could not be saved. */
function saveWorld(failed: FailedTest, saved: MerchantAccount, name: string): string {
  const folder = resolve(FOLDER);
  const file = join(folder, name);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      file,
      JSON.stringify({
        ...takeSnapshot(saved.world),
        test: { ...noteOf(failed), merchant: saved.name },
      }),
    );
    return `npx micro-insurance-sandbox show ${shellWord(shownPath(file))}`;
  } catch (error) {
    return `The World could not be saved: ${messageOf(error)}`;
  }
}

/** What a file says about the test that left it. */
function noteOf({ title, attempt, file, error }: FailedTest) {
  const stack = error instanceof Object && 'stack' in error ? String(error.stack) : '';
  const frame = stack.split('\n').find((line) => line.includes(`${file}:`)) ?? '';
  const line = Number.parseInt(frame.slice(frame.indexOf(`${file}:`) + file.length + 1), 10);
  return {
    ...{ name: title, attempt: attempt + 1, file: shownPath(file) },
    ...(line > 0 && { line }),
    error: messageOf(error),
  };
}

/**
 * A file name of plain letters. A part of it is made from the id, so that tests of the same title, in two files or two
 * workers, have files of their own, and the next run replaces them. Each attempt of a test has its own.
 */
function fileName({ attempt }: TestCase, title: string, id: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '');
  const words = plain.replace(/[^A-Za-z0-9]+/g, '-').slice(0, MAX_NAME);
  const name = words.replace(/^-|-$/g, '').toLowerCase() || 'test';
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 8);
  return `${name}-${hash}${attempt > 0 ? `-attempt-${attempt + 1}` : ''}.json`;
}

/** The path as it works in the shell: a test runner may have changed its own folder. */
function shownPath(file: string): string {
  const shell = readEnvironment().PWD ?? '.';
  const path = relative(shell, file).replaceAll('\\', '/');
  return path.startsWith('..') ? file : path;
}

/** What was thrown, which need not be an error. */
export function thrownText(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message = inspect({ ...thrown }) }: { message?: unknown } = thrown;
  return String(message);
}

/** The message of an error, without the colours that some runners put into it. */
const messageOf = (error: unknown): string =>
  printable(stripVTControlCharacters(thrownText(error)));
