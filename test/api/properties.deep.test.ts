import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyBody } from '../support/bodies.ts';
import { anyCharacter } from '../support/characters.ts';
import { createClient, operations, queryText } from '../support/client.ts';
import { runsOf } from '../support/depth.ts';
import { acceptedInput } from '../support/requests.ts';
import { withoutCalls } from '../support/snapshots.ts';

/** Values that programs send by mistake or attackers send on purpose. */
const awkward = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    '   ',
    0,
    -1,
    -0.5,
    1e21,
    2 ** 53,
    Number.MAX_VALUE,
    true,
    [],
    {},
    [[]],
    '2026-02-30',
    '0000-00-00',
    '9999-12-31',
    '9007199254740993',
    '1e5',
    'a\u0000b',
    '\ud800',
    '\u202e',
    'x'.repeat(10_000),
    { __proto__: { a: 1 } },
    '<script>',
    "'; DROP TABLE",
  ),
  fc.string({ unit: anyCharacter }),
  fc.double(),
  fc.integer(),
  fc.jsonValue(),
);

const RUNS = runsOf({ sample: 12, ci: 100, all: 5_000 });

const posts = operations.filter(({ method }) => method === 'post');

describe.each(operations)('$operationId', ({ operationId, method, path }) => {
  test('handles any input within its contract, and a refusal changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(awkward), fc.nat(), async (values, choice) => {
        const client = createClient();
        const input: Record<string, unknown> = { ...(await acceptedInput(client, operationId)) };
        const fields = Object.keys(input);
        if (path.includes(':'))
          input.policy_no = `x${queryText(values.next().value).replace(/\p{Surrogate}/gu, '?')}`;
        else {
          const spoiled = fields[choice % Math.max(1, fields.length)] ?? 'page';
          input[spoiled] = values.next().value;
          if (choice % 3 === 0)
            input[fields[(choice >> 3) % fields.length] ?? 'period'] = values.next().value;
        }
        const before = remembered(client.merchant.snapshot());
        const answer = await client.call(operationId, input);
        expect(answer.status).toBeLessThan(500);
        if (answer.status !== 200 || method === 'get') {
          expect(remembered(client.merchant.snapshot())).toEqual(before);
        }
      }),
      RUNS,
    );
  });
});

describe.each(posts)('$operationId (POST)', ({ operationId }) => {
  test('refuses random bytes with a 4xx status', async () => {
    const client = createClient();
    await fc.assert(
      fc.asyncProperty(anyBody, async (raw) => {
        const answer = await client.call(operationId, {}, { raw });
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
      }),
      RUNS,
    );
  });
});

/** The part of a World that a refused request must not change. */
const remembered = ({ world }: { world: Readonly<Record<string, unknown>> }) => withoutCalls(world);
