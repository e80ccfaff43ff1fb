import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyBody } from '../support/bodies.ts';
import { operations, queryText } from '../support/client.ts';
import { runsOf } from '../support/depth.ts';
import { acceptedInput } from '../support/requests.ts';
import { judgedSandbox } from './planted.ts';

const MISTAKES: readonly unknown[] = [
  ...[null, true, [], {}, [[]], { token: 'x' }, 0, -1, -0.5, 0.001, 1e21, 2 ** 53],
  ...[8_031_234_567, '08031234567', 12345678901, '9007199254740993', '1e5', '00', '007'],
  ...['', '   ', ' padded ', 'a\u0000b', 'a\nb', '\ud800', 'x'.repeat(2000), '100', '101', 'day'],
  ...['2026-02-30', '1899-12-31', '9999-12-31', '2999-01-01', '2026-01-31'],
  ...['female', 'MALE', 'yearly', 'annually', 'a@b.c', 'é@x.com', 'a@b.co'],
  ...['http://x', 'https://x.example/a b', 'ftp://x'],
];

/** Values that programs send by mistake, and some that are sent on purpose. */
const odd = fc.oneof(
  fc.constantFrom(...MISTAKES),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.integer(),
  fc.jsonValue(),
);

const RUNS = runsOf({ sample: 10, ci: 50, all: 1_000 });

test.each(operations)(
  '$operationId shows no difference, whatever fields it is sent',
  async ({ operationId, path, input: schema }) => {
    const { call, client } = judgedSandbox();
    const fields = [...Object.keys(schema?.shape ?? {}), 'unknown'];
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(odd), fc.nat(), async (values, choice) => {
        const input: Record<string, unknown> = {
          ...(await acceptedInput(client, operationId)),
        };
        if (path.includes(':')) {
          input.policy_no = `x${queryText(values.next().value).replace(/\p{Surrogate}/gu, '?')}`;
        } else {
          for (let turn = choice % 3; turn >= 0; turn--) {
            input[fields[(choice >> turn) % fields.length] as string] = values.next().value;
          }
        }
        expect((await call(operationId, input)).lines).toEqual([]);
      }),
      RUNS,
    );
  },
);

test.each(operations.filter(({ method }) => method === 'post'))(
  '$operationId shows no difference to any body of bytes',
  async ({ operationId }) => {
    const { call } = judgedSandbox();
    await fc.assert(
      fc.asyncProperty(anyBody, async (raw) => {
        expect((await call(operationId, {}, { raw })).lines).toEqual([]);
      }),
      RUNS,
    );
  },
);
