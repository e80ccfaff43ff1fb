/* The rules that problems name, and which of them an issue of a schema is about. */

import type { z } from '@hono/zod-openapi';

/** A rule that a field of a request can break. A new one is named here and where its problem is made. */
export type FieldRule =
  | 'required'
  | 'type'
  | 'format'
  | 'value'
  | 'range'
  | 'length'
  | 'characters'
  | 'decimals'
  | 'product'
  | 'users'
  | 'price'
  | 'premium'
  | 'frequency'
  | 'combination'
  | 'unknown_field';

/** A rule that a record of a fixture file can break, besides those of its fields. */
export type RecordRule = FieldRule | 'duplicate' | 'order' | 'time' | 'merchant';

/** The options of a refinement that demands something of a value: the rule, and the end of the sentence about it. */
export const must = (rule: FieldRule, demand: string) => ({ error: demand, params: { rule } });

/**
 * The rule that an issue of a field is about. Blank text counts as missing.
 *
 * @param value the refused value; an issue has it if it was parsed with `reportInput`
 */
export function ruleOf(issue: z.core.$ZodIssue, value: unknown = issue.input): FieldRule {
  if (value === undefined || value === '') return 'required';
  switch (issue.code) {
    case 'invalid_type':
      return 'type';
    case 'invalid_value':
      return 'value';
    case 'too_small':
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array' ? 'length' : 'range';
    case 'invalid_union': {
      // A value of the right type breaks another rule.
      const inner = issue.errors.flat().find(({ code }) => code !== 'invalid_type');
      return inner ? ruleOf(inner, value) : 'type';
    }
    case 'custom':
      return (issue.params?.rule as FieldRule | undefined) ?? 'format';
    default:
      return 'format';
  }
}
