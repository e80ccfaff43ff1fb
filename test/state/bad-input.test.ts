import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import motor from '../../fixtures/motor.json' with { type: 'json' };
import { headerLine, textOf } from '../../src/storage/lines.ts';
import { buy } from '../support/requests.ts';
import { bytesOf, DEMO, keptOf, newStateFile, openKept, revive } from '../support/state.ts';

const AT = Date.parse('2026-01-31T10:00:00Z');

const written = (lines: readonly object[]): string => lines.map(textOf).join('');

const fileHeader = (lines: number, logged = 0): string =>
  headerLine({ id: 'mine', logged, at: AT, lines });

const fileWith = (...lines: readonly object[]): string => fileHeader(lines.length) + written(lines);

const fileOf = (...rows: readonly object[]): string =>
  fileWith(...rows.map((row) => ({ changes: [row] })));

const logHeader = headerLine({ id: 'mine', logged: 0, at: AT });

/** A row of the World of merchant 1. */
const ofWorld = (...changes: unknown[]) => ({ merchant: 1, changes: [changes] });

const merchantRow = (changes: object = {}) => [
  'merchants',
  '1',
  {
    id: 1,
    name: 'One',
    api_key: DEMO,
    config: { records: 'none', clock: { now: AT, mode: 'frozen' }, seed: 7 },
    since: AT,
    ...changes,
  },
];

const oneMerchant = { changes: [merchantRow()] };
const world = (without?: string): object[] =>
  Object.entries({
    merchant_id: 1,
    clock: { mode: 'frozen', at: AT, since: AT },
    random: [1, 2, 3, 4],
    fault_random: [1, 2, 3, 4],
  }).flatMap(([key, value]) => (key === without ? [] : [ofWorld('values', key, value)]));

const {
  id: _id,
  user_id: _user,
  status: _status,
  created_at: _created,
  updated_at: _updated,
  ...DETAILS
} = motor.policies[0] as (typeof motor.policies)[number];

/** Starts with a file and returns why it is refused. Expects that nothing was written. */
async function refusalOf(content: string | Buffer, log?: string): Promise<string> {
  const file = newStateFile();
  writeFileSync(file, content);
  if (log !== undefined) writeFileSync(`${file}.log`, log);
  const [before, logBefore] = bytesOf(file);
  const why = await openKept(file).then(
    () => 'it is taken',
    (error: Error) => error.message,
  );
  const [after, logAfter] = bytesOf(file);
  expect(after === before && logAfter === logBefore, 'both are as they were').toBe(true);
  expect(why.split('\n')).toHaveLength(1);
  return why.replaceAll(file, 'FILE');
}

describe('a state written by hand', () => {
  test('is accepted if it is valid', async () => {
    const file = newStateFile();
    writeFileSync(file, fileWith(oneMerchant, ...world()));
    const { client, sandbox } = await openKept(file);
    expect(sandbox.merchants()).toHaveLength(1);
    await buy(client, 'motor');
    expect(client.merchant.show().counts).toMatchObject({ motor: 1 });
  });
});

test('an empty FILE is a new one', async () => {
  const file = newStateFile();
  writeFileSync(file, '');
  const { client, sandbox } = await openKept(file);
  await buy(client, 'motor');
  expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(sandbox));
});

describe('a state is refused with one line and left unchanged if', () => {
  const BROKEN: Record<string, [string | Buffer, string]> = {
    'FILE is a text': ['Dear diary,\n', 'FILE: is not a state file of this version. Start with'],
    'FILE has 2 MiB and no end of a line': [
      Buffer.alloc(2 * 1024 * 1024, 'x'),
      'FILE: is not a state file of this version',
    ],
    'FILE is nested more deeply than any text of this program': [
      '['.repeat(200_000),
      'FILE: is not a state file of this version',
    ],
    'FILE was written by version 0.1.0': [
      '{"version":1,"log":{"id":"4f1c","lines":0,"at":1769853600000},"sandbox":{"last_id":2,"merchants":[]}}',
      'FILE: is not a state file of this version. Start with another file to begin a new state.',
    ],
    'FILE has the former format': [
      '{"line":1,"sum":"90ab12cd","state":"micro-insurance-sandbox","format":3,"id":"4f1c","log_lines":0}\n',
      'FILE: has format 3, and this version reads format 6. Start with another file to begin a new state.',
    ],
    'FILE was written by a later version': [
      '{"state":"micro-insurance-sandbox","format":7,"more":1}\n',
      'FILE: has format 7, and this version reads format 6.',
    ],
    'FILE has a header and nothing else': [
      fileHeader(1),
      'FILE: ends after line 1; the rest is missing',
    ],
    'FILE is cut off': [
      fileWith(oneMerchant, ...world()).slice(0, -20),
      'FILE: line 6: is cut off',
    ],
    'FILE goes on behind its end': [
      fileWith(oneMerchant) + written([oneMerchant]),
      'FILE: line 3: comes after the end of the state',
    ],
    'a row has an unknown table': [
      fileOf(['pets', 'rex', { bark: true }]),
      'FILE: line 2: pets "rex": no such table belongs here',
    ],
    'a single value is unknown': [
      fileOf(['sandbox', 'mood', 'fine']),
      'FILE: line 2: sandbox "mood": is unknown',
    ],
    'a line is not a change': [
      fileWith({ changes: [['merchants', '1']] }),
      'FILE: line 2: changes: expected a list of [table, key, value]',
    ],
    'a line is not JSON': [`${fileHeader(1)}oops}\n`, 'FILE: line 2: Unexpected token'],
    'a line is nested more deeply than any value': [
      `${fileHeader(1)}{"changes":[["sandbox","run",${'['.repeat(100_000)}${']'.repeat(100_000)}]]}\n`,
      'FILE: line 2: sandbox "run": expected a number',
    ],
    'a value does not fit its table': [
      fileOf(merchantRow({ since: 'yesterday' })),
      'FILE: line 2: merchants "1".since: expected a number, got "yesterday"',
    ],
    'a value has the key of another': [
      fileOf(['merchants', '7', merchantRow()[2]]),
      'FILE: line 2: merchants "7": expected the record with this key, got "1"',
    ],
    'a record belongs to an unknown merchant': [
      fileWith(oneMerchant, { merchant: 9, changes: [['sequences', 'user', 1]] }),
      'FILE: line 3: unknown merchant 9',
    ],
    'a row of the sandbox is in a World': [
      fileWith(oneMerchant, ofWorld('merchants', '1', merchantRow()[2])),
      'FILE: line 3: merchants "1": no such table belongs here',
    ],
    'a World lacks its clock': [
      fileWith(oneMerchant, ...world('clock')),
      'FILE: the World of merchant 1: values.clock: is missing',
    ],
    'a pending purchase does not fit its schema': [
      fileWith(
        oneMerchant,
        ...world(),
        ofWorld('motor.pending', 'CMP1', {
          number: 1,
          initiated_at: AT,
          details: { ...DETAILS, vehicle_value: 0 },
        }),
      ),
      'FILE: line 7: motor.pending "CMP1".details.vehicle_value: expected more than 0, got 0',
    ],
    'a clock has no valid time': [
      fileWith(oneMerchant, ofWorld('values', 'clock', { mode: 'frozen', at: -1, since: AT })),
      'FILE: line 3: values "clock".at: expected a time within the range of clocks, got -1',
    ],
  };

  test.each(Object.entries(BROKEN))('%s', async (_, [content, why]) => {
    expect(await refusalOf(content)).toContain(why);
  });

  const LOGS: Record<string, [string, string]> = {
    'its log is a text': ['Dear diary,\n', 'FILE.log: is not a state file of this version'],
    'its log is a text without an end': ['Dear diary', 'FILE.log: is not a state file of this'],
    'its log was written by a later version': [
      '{"state":"micro-insurance-sandbox","format":7}\n',
      'FILE.log: has format 7, and this version reads format 6.',
    ],
    'its log has a value that does not fit its table': [
      logHeader + written([{ at: AT, changes: [merchantRow({ name: 7 })] }]),
      'FILE.log: line 2: merchants "1".name: expected a string, got 7',
    ],
    'its log has a broken line before its end': [
      `${logHeader}{"at":1,"chan\n${written([{ at: AT, changes: [] }])}`,
      'FILE.log: line 2: ',
    ],
    'its log leaves a World incomplete': [
      logHeader +
        written([{ at: AT, merchant: 1, replaced: true, changes: [['sequences', 'user', 1]] }]),
      'the World of merchant 1: values.merchant_id: is missing',
    ],
  };

  test.each(Object.entries(LOGS))('%s', async (_, [log, why]) => {
    expect(await refusalOf(fileWith(oneMerchant, ...world()), log)).toContain(why);
  });

  test.each([
    ['a folder', '', mkdirSync, 'is a folder, not a file'],
    ['a pipe', '', makePipe, 'is not a regular file'],
    ['a folder', '.log', mkdirSync, 'is a folder, not a file'],
    ['a pipe', '.log', makePipe, 'is not a regular file'],
  ])('%s has the name of FILE%s', async (_, end, make, why) => {
    const file = newStateFile();
    make(file + end);
    await expect(openKept(file)).rejects.toThrow(`${file}${end}: ${why}`);
  });

  test('FILE is empty and its log has changes', async () => {
    expect(await refusalOf('', logHeader)).toBe(
      'FILE.log: has changes, but its state file is missing or empty',
    );
  });

  test('FILE is a device', async () => {
    await expect(openKept('/dev/null')).rejects.toThrow(/^\/dev\/null: /);
  });
});

function makePipe(path: string): void {
  execFileSync('mkfifo', [path]);
}
