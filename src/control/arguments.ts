/* Reads the arguments of methods, for merchants in this process and behind a URL. */

import type { z } from '@hono/zod-openapi';
import type { Moment } from '../types/public.ts';
import { inputObject } from '../world/input-object.ts';
import { MAX_READ_DEPTH } from '../world/json-text.ts';
import { describeValue, isPlainObject } from '../world/problem-texts.ts';
import { Advance, ClockChange } from './clock.ts';
import { ControlError } from './control-error.ts';
import { NewFault } from './faults.ts';
import { momentToText } from './fields.ts';
import { JournalQuery } from './journal.ts';
import { SandboxJournalQuery } from './journal-all.ts';
import { Expectation } from './journal-wait.ts';
import { jsonRoundTrip, parseArgument } from './json.ts';
import { NewMerchant } from './merchants.ts';
import { RecordQuery } from './records.ts';
import { SendChange } from './send.ts';
import { Reset, Snapshot } from './snapshot.ts';

/** Returns an input with its moment as a text. */
function withMomentText<Key extends 'now' | 'to'>(input: unknown, key: Key): unknown {
  if (!isPlainObject(input)) return input;
  const moment = Reflect.get(input, key) as Moment | undefined;
  return moment === undefined ? input : { ...input, [key]: momentToText(moment) };
}

/** Returns an object as JSON that shares nothing with the caller. Other values stay, to be refused. */
const jsonOf = (input: unknown, maxDepth?: number): unknown =>
  isPlainObject(input) ? jsonRoundTrip(input, maxDepth) : input;

const reader =
  <S extends z.ZodObject>(method: string, schema: S, prepare = (input: unknown) => input) =>
  (input: unknown = {}): z.output<S> =>
    parseArgument(method, schema, prepare(input));

const { api_key: apiKey, ...newMerchant } = NewMerchant.shape;
/** A new merchant as code names its fields. */
const MerchantArgument = inputObject({ ...newMerchant, apiKey });

/** The argument of each method that takes an object. Each throws `ControlError` 422 with every problem. */
export const readArgument = {
  createMerchant(input: unknown = {}): z.output<typeof NewMerchant> {
    const read = withMomentText(input, 'now');
    const { apiKey, ...wanted } = parseArgument('createMerchant', MerchantArgument, read);
    return apiKey === undefined ? wanted : { ...wanted, api_key: apiKey };
  },
  sandboxJournal: reader('journal', SandboxJournalQuery),
  clockChange: (change: unknown) =>
    parseArgument('clock.set', ClockChange, withMomentText(change, 'now')),
  advance(step: unknown) {
    const input = typeof step === 'string' ? { by: step } : withMomentText(step, 'to');
    return parseArgument('advance', Advance, input, 'a duration like "PT15M"');
  },
  fault: (fault: unknown) => parseArgument('faults.add', NewFault, jsonOf(fault)),
  journalList: reader('journal.list', JournalQuery),
  journalText: reader('journal.text', JournalQuery),
  expectation: reader('journal.await', Expectation),
  send: (change: unknown = {}) =>
    parseArgument('journal.send', SendChange, jsonOf(change, MAX_READ_DEPTH)),
  records: (query: unknown) => parseArgument('records', RecordQuery, query),
  rewind(to: unknown): string {
    if (typeof to === 'string') return to;
    throw new ControlError(
      422,
      `rewind() takes the id of a call, a string like "req-3-2"; got ${describeValue(to)}.`,
    );
  },
  reset: reader('reset', Reset),
  snapshot: (snapshot: unknown) =>
    parseArgument('restore', Snapshot, jsonOf(snapshot, MAX_READ_DEPTH)),
};
