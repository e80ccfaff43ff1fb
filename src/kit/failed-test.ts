/* What a failed test leaves: the calls of its merchants as text, and their Worlds in files that `show` opens. */

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { presentEntry } from '../control/journal-entry.ts';
import { createJournalWriter } from '../control/journal-text.ts';
import type { MerchantAccount } from '../control/merchant-store.ts';
import { takeSnapshot } from '../storage/snapshot.ts';
import { embeddedObserver } from '../tools/chaos/embedded.ts';
import { readEnvironment } from '../world/platform.ts';
import { printable, quoted, shellWord } from '../world/printable.ts';
import type { Calls, TestRecord } from './test-record.ts';

/** The folder of the files, in the working directory of the test runner. */
const FOLDER = 'sandbox-failures';
/** The merchants, besides that of the kit, whose calls are printed. */
const SHOWN_MERCHANTS = 3;
/** Letters of a title in a file name. */
const MAX_NAME = 60;

/** A failed test. */
export interface FailedTest {
  /** Its name, with the names of the groups around it. */
  readonly title: string;
  /** Different for every test of a run, whatever its title. */
  readonly id: string;
  readonly record: TestRecord;
}

/**
 * Saves the Worlds of a failed test, and returns what the test runner should print; undefined if the test had no
 * merchant and nothing happened. Never throws.
 */
export function describeFailedTest(test: FailedTest): string | undefined {
  try {
    const { own, calls } = test.record;
    const others = [...calls].filter(([each]) => each !== own);
    const shown = others.slice(0, SHOWN_MERCHANTS);
    const more = others.length - shown.length;
    const parts = [
      own && ownPart(test, own),
      ...shown.map(([merchant, each]) => otherPart(test, merchant, each)),
      more > 0 && `… ${more} more merchant${more === 1 ? '' : 's'} with calls`,
      keylessPart(test.record),
      blockedPart(test.record),
    ];
    return parts.filter(Boolean).join('\n\n') || undefined;
  } catch (error) {
    return `The calls of this test cannot be shown: ${messageOf(error)}`;
  }
}

/** The calls of the merchant that the kit created, and its World. */
function ownPart({ title, id, record }: FailedTest, own: MerchantAccount): string {
  const { calls, keyless, blocked } = record;
  const happened = calls.size + keyless.count + blocked.size > 0;
  const hint = happened ? '' : ' Your code has to send merchant.apiKey to this sandbox.';
  const ownCalls = calls.get(own);
  const said = ownCalls
    ? `Calls of the merchant ${nameOf(own)}:\n${callsText(ownCalls)}`
    : `The merchant ${nameOf(own)} got no calls.${hint}`;
  return withWorld(said, own, fileName(title, id));
}

/** The calls of a merchant that the test created or shares, and its World. */
function otherPart(
  { title, id, record }: FailedTest,
  merchant: MerchantAccount,
  calls: Calls,
): string {
  const said = `Calls of the merchant ${nameOf(merchant)}${whose(record)}:\n${callsText(calls)}`;
  const place = [...record.calls.keys()].indexOf(merchant);
  return withWorld(said, merchant, fileName(`${title} ${merchant.name}`, `${id} ${place}`));
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

const nameOf = ({ name }: MerchantAccount): string => `"${printable(name)}"`;

function callsText({ count, newest }: Calls): string {
  const writer = createJournalWriter();
  const earlier = count - newest.length;
  return [
    ...(earlier > 0 ? [`… ${earlier} earlier`] : []),
    ...newest.flatMap((entry) => writer(presentEntry(entry))),
  ].join('\n');
}

/** Tests that fail under chaos are wanted, so it saves nothing. Its report shows their calls. */
const withWorld = (said: string, merchant: MerchantAccount, name: string): string =>
  embeddedObserver() ? said : `${said}\n\n${saveWorld(merchant, name)}`;

/** Saves a World, and returns the command that opens it, or why it could not be saved. */
function saveWorld({ world }: MerchantAccount, name: string): string {
  const folder = resolve(FOLDER);
  const file = join(folder, name);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(takeSnapshot(world)));
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
