import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import motor from '../../fixtures/motor.json' with { type: 'json' };
import { fileHeader, logHeader, writeLine } from '../../src/storage/lines.ts';
import { buy } from '../support/requests.ts';
import { bytesOf, DEMO, newStateFile, openKept } from '../support/state.ts';

const AT = Date.parse('2026-01-31T10:00:00Z');

/** The text of lines with their numbers and checksums. */
const written = (first: number, contents: readonly object[]): string =>
  contents.map((content, place) => writeLine({ checksum: crc32 }, first + place, content)).join('');

const fileOf = (...rows: readonly object[]): string =>
  written(1, [
    fileHeader('mine', 0),
    ...rows.map((row) => ({ changes: [row] })),
    { log_lines: 0, at: AT, end: true },
  ]);

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

const fileWith = (...lines: readonly object[]): string =>
  written(1, [fileHeader('mine', 0), ...lines, { log_lines: 0, at: AT, end: true }]);

const oneMerchant = { changes: [merchantRow()] };
const world = (without?: string): object[] =>
  Object.entries({
    merchant_id: 1,
    clock: { mode: 'frozen', at: AT, since: AT },
    random: [1, 2, 3, 4],
    fault_random: [1, 2, 3, 4],
  }).flatMap(([key, value]) => (key === without ? [] : [ofWorld('values', key, value)]));

const FAULT = {
  id: 'fault-9',
  match: {},
  stage: 'before',
  effect: { kind: 'hang' },
  times: 1,
  probability: 1,
};

const BOUGHT = motor.policies[0] as (typeof motor.policies)[number];
const POLICY = { ...BOUGHT, product_id: 99 };
const {
  id: _id,
  user_id: _user,
  merchant_user_id: _merchant,
  status: _status,
  created_at: _created,
  updated_at: _updated,
  ...DETAILS
} = BOUGHT;

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

describe('a state is refused with one line and left unchanged if', () => {
  const BROKEN: Record<string, [string | Buffer, string]> = {
    'FILE is empty': ['', 'FILE: is not a state file of this program'],
    'FILE has 2 MiB and no end of a line': [
      Buffer.alloc(2 * 1024 * 1024, 'x'),
      'FILE: is not a state file of this program',
    ],
    'FILE was written by version 0.1.0': [
      '{"version":1,"log":{"id":"4f1c","lines":0,"at":1769853600000},"sandbox":{"last_id":2,"merchants":[]}}',
      'FILE: was written by version 0.1.0 or earlier in a format that this version cannot read',
    ],
    'FILE was written by a later version': [
      written(1, [{ ...fileHeader('mine', 0), format: 4, more: 1 }]),
      'FILE: line 1: was written in format 4 by another version; this version reads formats 2 and 3',
    ],
    'FILE has a header and nothing else': [
      written(1, [fileHeader('mine', 0)]),
      'FILE: ends after line 1; the rest is missing',
    ],
    'FILE goes on behind its end': [
      `${fileWith(oneMerchant)}${written(4, [oneMerchant])}`,
      'FILE: line 4: comes after the end of the state',
    ],
    'a row has an unknown table': [
      fileOf(['pets', 'rex', { bark: true }]),
      'FILE: line 2: unknown table "pets"',
    ],
    'a single value is unknown': [
      fileOf(['sandbox', 'mood', 'fine']),
      'FILE: line 2: sandbox "mood": is unknown',
    ],
    'a line is not a change': [
      fileWith({ changes: [['merchants', '1']] }),
      'FILE: line 2: changes: expected a list of [table, key, value]',
    ],
    'a line with the right checksum is not JSON': [
      `${written(1, [fileHeader('mine', 0)])}{"line":2,"sum":"${crc32('oops}', 2).toString(16).padStart(8, '0')}",oops}\n`,
      'FILE: line 2: Expected ',
    ],
    'a value does not fit its table': [
      fileOf(merchantRow({ since: 'yesterday' })),
      'FILE: line 2: merchants "1": since: expected a number, got "yesterday"',
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
      'FILE: line 3: merchants "1": this row does not belong here',
    ],
    'a World lacks its clock': [
      fileWith(oneMerchant, ...world('clock')),
      'FILE: the World of merchant 1: values.clock: is missing',
    ],
    'a clock does not say since when it runs': [
      fileWith(
        oneMerchant,
        ...world('clock'),
        ofWorld('values', 'clock', { mode: 'frozen', at: AT }),
      ),
      'FILE: the World of merchant 1: values.clock.since: is missing',
    ],
    'FILE was killed while it was written beside its log, and that is gone': [
      written(1, [fileHeader('mine', 0), oneMerchant, { log_lines: 3, at: AT, end: true }]),
      'FILE.log: lacks lines that the state file needs, up to number 3',
    ],
    'a World would assign the number of a fault rule again': [
      fileWith(oneMerchant, ...world(), ofWorld('faults', 'fault-9', FAULT)),
      'FILE: the World of merchant 1: sequences.fault: expected at least 9, the highest in faults, got 0',
    ],
    'a policy has a product that the catalogue does not have': [
      fileWith(oneMerchant, ...world(), ofWorld('motor.policies', BOUGHT.policy_number, POLICY)),
      'FILE: the World of merchant 1: motor.policies.0.product_id: product 99 is not ',
    ],
    'a token is both used and pending': [
      fileWith(
        oneMerchant,
        ...world(),
        ofWorld('motor.used', 'CMP1', true),
        ofWorld('motor.pending', 'CMP1', { initiated_at: AT, details: DETAILS }),
      ),
      'FILE: the World of merchant 1: motor.pending.CMP1: this token is also in motor.used',
    ],
    'a pending purchase is one that no request can have created': [
      fileWith(
        oneMerchant,
        ...world(),
        ofWorld('motor.pending', 'CMP1', {
          initiated_at: AT,
          details: { ...DETAILS, year_make: '1899' },
        }),
      ),
      'FILE: line 7: motor.pending "CMP1": details.year_make: expected a year from 1900 to 9999, got "1899"',
    ],
    'a clock has no valid time': [
      fileWith(oneMerchant, ofWorld('values', 'clock', { mode: 'frozen', at: -1, since: AT })),
      'FILE: line 3: values "clock": at: expected a time within the range of clocks, got -1',
    ],
  };

  test.each(Object.entries(BROKEN))('%s', async (_, [content, why]) => {
    expect(await refusalOf(content)).toContain(why);
  });

  const LOGS: Record<string, [string, string]> = {
    'its log is a text': ['Dear diary,\n', 'FILE.log: is not a state file of this program'],
    'its log was written by a later version': [
      written(0, [{ ...logHeader('mine', AT), format: 4 }]),
      'FILE.log: line 1: was written in format 4 by another version; this version reads formats 2 and 3',
    ],
    'its log has a value that does not fit its table': [
      written(0, [logHeader('mine', AT), { at: AT, changes: [merchantRow({ name: 7 })] }]),
      'FILE.log: line 2: merchants "1": name: expected a string, got 7',
    ],
    'its log contradicts the rows of its file': [
      written(0, [
        logHeader('mine', AT),
        { at: AT, merchant: 1, changes: [['faults', 'fault-9', FAULT]] },
      ]),
      'FILE: the World of merchant 1: sequences.fault: expected at least 9',
    ],
    'its log leaves a World incomplete': [
      written(0, [
        logHeader('mine', AT),
        { at: AT, merchant: 1, replaced: true, changes: [['sequences', 'user', 1]] },
      ]),
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

  test('FILE is a device', async () => {
    await expect(openKept('/dev/null')).rejects.toThrow(/^\/dev\/null: /);
  });
});

function makePipe(path: string): void {
  execFileSync('mkfifo', [path]);
}
