import { z } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import { echoIn, requiredFields, unassignedInput } from '../../src/check/contract.ts';
import { date, text } from '../../src/http/request-fields.ts';
import { productId } from '../../src/http/request-numbers.ts';
import { day, id, timestamp } from '../../src/http/response-fields.ts';
import { operations } from '../support/client.ts';

const operation = operations[0] as (typeof operations)[number];

describe('what the routes say of their requests', () => {
  test('fields are required where their schema refuses nothing, in the order of the contract', () => {
    const input = z.object({ name: text(), note: text().optional(), product_id: productId() });
    expect(requiredFields({ ...operation, input })).toEqual(['name', 'product_id']);
  });

  test('of several spellings the documented one is required', () => {
    const input = z
      .object({ number: text().optional(), Number: text().optional() })
      .meta({ required: ['number'] });
    expect(requiredFields({ ...operation, input })).toEqual(['number']);
  });

  test('a token nobody was given has the documented form', () => {
    const input = z.object({ token: text() }).meta({ examples: [{ token: 'CMP16984a' }] });
    expect(unassignedInput({ ...operation, input })).toEqual({ token: 'CMP000000' });
  });
});

test('a response says again what it knows by the same name, in its own form', () => {
  const schema = z.strictObject({
    id: id(),
    name: z.string().nullable(),
    start_date: timestamp().nullable(),
    end_date: day(),
    members: z.array(z.strictObject({ born: timestamp() })),
  });
  const sent = z
    .object({ name: text(), gender: text(), start_date: date(), members: z.unknown() })
    .parse({ name: 'Ada', gender: 'female', start_date: '2026-01-31', members: [] });
  expect(
    echoIn(schema, {
      ...sent,
      end_date: '2026-02-28T00:00:00.000000Z',
      members: [{ born: '1990-04-12', name: 'Bola' }],
    }),
  ).toEqual({
    name: 'Ada',
    start_date: '2026-01-31T00:00:00.000000Z',
    end_date: '2026-02-28',
    members: [{ born: '1990-04-12T00:00:00.000000Z' }],
  });
});
