/* Requests with one changed field each: wrong ones, derived from the schema of an operation, and the last right ones. */

import { z } from '@hono/zod-openapi';
import type { Operation } from '../api/operation.ts';
import { IDENTITY_LENGTH, PHONE_LENGTH } from '../world/limits.ts';
import { call, type Input, type Scenario } from './scenario.ts';

/** The parts of a field's JSON schema that decide which values to try. */
interface Form {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Form[];
}

type Value = readonly [shows: string, value: unknown];

/** A value of a field. */
export type FieldValue = readonly [field: string, ...Value];

const sends = (operation: Operation, valid: Input, [field, shows, value]: FieldValue) =>
  call(operation, `with ${field} ${shows}`, { ...valid, [field]: value }, { about: [field] });

/** Requests with values at the edge of what the contract accepts: servers may have narrower limits. */
export const edgeScenario = (
  operation: Operation,
  valid: Input,
  values: readonly FieldValue[],
): Scenario => ({
  name: `Edges of ${operation.operationId}`,
  steps: values.map((value) => sends(operation, valid, value)),
});

/**
 * Requests with one changed field: missing, of another type or out of range, derived from the request schema. The twin
 * decides which of them are refused. All values are tried for the first field of each form, one value for the others.
 *
 * @param validFor a request that a server accepts if it accepts the value
 */
export function formScenario(
  operation: Operation,
  valid: Input,
  more: readonly FieldValue[] = [],
  validFor: (field: string, value: unknown) => Input = () => valid,
): Scenario {
  const tried = new Set<string>();
  const tries = (...value: FieldValue) => sends(operation, validFor(value[0], value[2]), value);
  const derived = Object.entries(operation.input?.shape ?? {}).flatMap(([field, schema]) => {
    const { title: _t, description: _d, examples: _e, ...form } = formOf(schema);
    const kind = JSON.stringify(form);
    const values = valuesFor(form).slice(0, tried.has(kind) ? 1 : undefined);
    tried.add(kind);
    const leftOut: readonly Value[] = isRequired(schema) ? [['left out', undefined]] : [];
    return [...leftOut, ...values].map((value) => tries(field, ...value));
  });
  return {
    name: `Forms of ${operation.operationId}`,
    steps: [
      call(operation, 'without any field'),
      ...derived,
      ...more.map((value) => tries(...value)),
    ],
  };
}

/** Whether a description says that a value has another type, or a number more decimals, than its field. */
export const isOfOtherType = (shows: string): boolean =>
  / (that is a number|true|with three decimal places)$/.test(shows);

const isRequired = (schema: z.core.$ZodType): boolean => !(schema instanceof z.ZodOptional);

const formOf = (schema: z.core.$ZodType) =>
  z.toJSONSchema(schema as z.ZodType, {
    io: 'input',
    unrepresentable: 'any',
  }) as Form & { title?: string; description?: string; examples?: unknown };

function valuesFor(form: Form): Value[] {
  const forms = form.anyOf ?? [form];
  const values = forms.flatMap(valuesForOne);
  const hasText = forms.some(({ type }) => type === 'string');
  return [
    ...new Map([...values, ...(hasText ? [] : TEXT_FOR_NUMBER)].map((v) => [v[0], v])).values(),
  ];
}

const TEXT_FOR_NUMBER: readonly Value[] = [['that is a word', 'x']];

function valuesForOne({ type, format, pattern, enum: words }: Form): Value[] {
  if (words) return wordValues(words);
  if (type === 'array') return ARRAYS;
  if (type === 'number' || type === 'integer') return NUMBERS;
  if (type !== 'string') return [];
  if (format === 'email') return EMAILS;
  if (format === 'date') return DAYS;
  if (format === 'uri') return ADDRESSES;
  const digits = [PHONE_LENGTH, IDENTITY_LENGTH].find((each) => pattern?.includes(`\\d{${each}}`));
  if (digits !== undefined) return phoneValues(digits);
  if (pattern?.includes('[Ff][Ee]'))
    return [
      ['unknown', 'other'],
      ['in capitals', 'FEMALE'],
    ];
  return pattern?.includes('\\d') ? DIGITS : TEXTS;
}

const wordValues = ([first = '']: readonly string[]): Value[] => [
  ['unknown', 'weekly'],
  ['in capitals', first.toUpperCase()],
  ['annual', 'annual'],
];
const ARRAYS: Value[] = [
  ['empty', []],
  ['that is a word', 'x'],
  ['of an empty object', [{}]],
];
const NUMBERS: Value[] = [
  ['of 0', 0],
  ['below 0', -1],
  ['of 1.5', 1.5],
  ['with three decimal places', 700.001],
  ['above a trillion', 10_000_000_000_000],
  ['true', true],
];
const DIGITS: Value[] = [
  ['that is a word', 'x'],
  ['below 0, as text', '-1'],
];
const EMAILS: Value[] = [
  ['without a domain', 'sandbox-check'],
  ['with a one-letter top-level domain', 'check@a.b'],
  ['with a non-ASCII character', 'ch\u00e9ck@example.com'],
];
const DAYS: Value[] = [
  ['that does not exist', '1990-02-30'],
  ['before 1900', '1899-12-31'],
  ['in another format', '31/01/1990'],
];
const ADDRESSES: Value[] = [
  ['that is not a URL', 'id.png'],
  ['with another protocol', 'ftp://example.com/id.png'],
];
/** Phone or identity numbers of another form than this many digits. */
const phoneValues = (digits: number): Value[] => [
  [`of ${digits - 1} digits`, '0999'.padEnd(digits - 1, '0')],
  [`of ${digits + 1} digits`, '0999'.padEnd(digits + 1, '0')],
  ['with a plus', `+234${'999'.padEnd(digits - 1, '0')}`],
  [`that is a number of ${digits - 1} digits`, Number('999'.padEnd(digits - 1, '0'))],
];
const TEXTS: Value[] = [
  ['blank', '   '],
  ['that is a number', 5],
  ['with a control character', 'Sandbox\u0007Check'],
  ['with a line break', 'Sandbox\nCheck'],
  ['with half of a surrogate pair', 'Check \ud83d'],
];
