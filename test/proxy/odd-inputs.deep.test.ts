import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyBody } from '../support/bodies.ts';
import { operations, queryText } from '../support/client.ts';
import { runsOf } from '../support/depth.ts';
import { acceptedInput } from '../support/requests.ts';
import { judgedSandbox } from './planted.ts';

/** Values that programs send by mistake, and some that are sent on purpose. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    '   ',
    ' padded ',
    0,
    -1,
    -0.5,
    0.001,
    1e21,
    2 ** 53,
    true,
    [],
    {},
    [[]],
    '2026-02-30',
    '1899-12-31',
    '9999-12-31',
    '2999-01-01',
    '9007199254740993',
    '1e5',
    '00',
    '007',
    'a\u0000b',
    'a\nb',
    '\ud800',
    'x'.repeat(2000),
    { token: 'x' },
    'female',
    'MALE',
    'yearly',
    'annually',
    'a@b.c',
    'é@x.com',
    'a@b.co',
    8_031_234_567,
    '08031234567',
    12345678901,
    '100',
    '101',
    'day',
    'http://x',
    'https://x.example/a b',
    'ftp://x',
    '2026-01-31',
  ),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.integer(),
  fc.jsonValue(),
);

const RUNS = runsOf({ sample: 12, ci: 100, all: 1_000 });

describe.each(operations)('$operationId', ({ operationId, method, path, input: schema }) => {
  test('shows no difference, whatever it is sent', async () => {
    const judged = judgedSandbox();
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(odd), fc.nat(), async (values, choice) => {
        const accepted = await acceptedInput(judged.client, operationId).catch(() => ({}));
        const input: Record<string, unknown> = { ...accepted };
        const fields = [...Object.keys(schema?.shape ?? {}), 'unknown'];
        if (path.includes(':')) {
          input.policy_no = `x${queryText(values.next().value).replace(/\p{Surrogate}/gu, '?')}`;
        } else {
          for (let turn = choice % 3; turn >= 0; turn--) {
            input[fields[(choice >> turn) % fields.length] as string] = values.next().value;
          }
        }
        const found = await judged.call(operationId, input);
        expect(found.lines).toEqual([]);
      }),
      RUNS,
    );
  });

  if (method === 'post') {
    test('shows none to any body of bytes', async () => {
      const judged = judgedSandbox();
      await fc.assert(
        fc.asyncProperty(anyBody, async (raw) => {
          const found = await judged.call(operationId, {}, { raw });
          expect(found.lines).toEqual([]);
        }),
        RUNS,
      );
    });
  }
});
