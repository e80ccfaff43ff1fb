import { z } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import { formatIssues } from '../../src/world/problem-texts.ts';

const whole = () => z.int().check(z.gte(1), z.lte(9));
const shape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('circle'), radius: whole() }),
  z.strictObject({ kind: z.literal('square'), side: whole() }),
  z.strictObject({ kind: z.literal('line'), length: whole() }),
  z.strictObject({ kind: z.literal('point') }),
]);
const colour = z.union([z.string(), z.strictObject({ red: whole() })]);

const problemsOf = (schema: z.ZodType, document: unknown) => {
  const { error } = z.safeParse(schema, document);
  return error ? formatIssues(document, error) : [];
};

describe('a problem has place, expected value and actual value', () => {
  test.each<[string, z.ZodType, unknown]>([
    ['the document: expected a string, got nothing', z.string(), undefined],
    ['the document: expected an object, got null', z.strictObject({}), null],
    ['the document: expected an array, got {"a":1}', z.array(z.string()), { a: 1 }],
    ['the document: expected true or false, got "yes"', z.boolean(), 'yes'],
    ['the document: expected a whole number, got 1.5', whole(), 1.5],
    ['the document: expected a number, got NaN', whole(), Number.NaN],
    ['the document: expected at least 1, got 0', whole(), 0],
    ['the document: expected at most 9, got 10', whole(), 10],
    ['the document: expected more than 0, got 0', z.number().check(z.gt(0)), 0],
    ['the document: expected at least 1 character, got ""', z.string().check(z.minLength(1)), ''],
    [
      'the document: expected exactly 2 elements, got [1]',
      z.array(whole()).check(z.length(2)),
      [1],
    ],
    [
      'the document: expected a time like 2026-01-31T10:00:00.000Z, got "then"',
      z.iso.datetime(),
      'then',
    ],
    ['the document: expected "a" or "b", got "c"', z.enum(['a', 'b']), 'c'],
    [
      'the document: expected "north" or "east" or "south" or "west", got "soth"; did you mean "south"?',
      z.enum(['north', 'east', 'south', 'west']),
      'soth',
    ],
    [
      'a.0.b: expected a string, got 7',
      z.strictObject({ a: z.array(z.strictObject({ b: z.string() })) }),
      { a: [{ b: 7 }] },
    ],
    ['a: unknown "c", "d"', z.strictObject({ a: z.strictObject({}) }), { a: { c: 1, d: 2 } }],
    [
      'kind: expected "circle" or "square" or "line" or "point", got "cirle"; did you mean "circle"?',
      shape,
      { kind: 'cirle' },
    ],
    ['kind: expected "circle" or "square" or "line" or "point", got nothing', shape, {}],
    ['radius: expected at most 9, got 90', shape, { kind: 'circle', radius: 90 }],
    ['the document: expected a string or an object, got 7', colour, 7],
    ['red: expected a number, got "x"', colour, { red: 'x' }],
    [
      'the document: expected a word',
      z.string().check(z.refine(() => false, { error: 'a word' })),
      'x',
    ],
  ])('%s', (problem, schema, document) => {
    const [first, ...rest] = problemsOf(schema, document);
    expect(first?.startsWith(problem), first).toBe(true);
    expect(rest).toEqual([]);
  });

  test('with one line per problem', () => {
    const schema = z.strictObject({ a: whole(), b: z.string() });
    expect(problemsOf(schema, { a: 0, c: 1 })).toEqual([
      'a: expected at least 1, got 0',
      'b: expected a string, got nothing',
      'the document: unknown "c"',
    ]);
  });
});
