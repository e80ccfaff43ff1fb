import { type FieldMeta, lookupText } from '../api/request-fields.ts';
import type { AssumptionId } from '../world/assumptions.ts';
import { DomainError } from '../world/errors.ts';
import type { RecordTable } from '../world/tables.ts';

/** The record of a policy number. Throws `policy_unknown`, for another merchant's too (`foreign-policy`). */
export function findByPolicyNumber<R>(records: RecordTable<R>, number: string): R {
  const record = records.get(number);
  if (record) return record;
  throw new DomainError('policy_unknown', ['The policy was not found.']);
}

/**
 * A spelling of the field that names the policy asked for. A client made from the document could not tell
 * three spellings of one name apart, so all but one of them are `x-unpublished`.
 */
export const policyNumberSpelling =
  (example: string, assumption: AssumptionId) => (meta: FieldMeta) =>
    lookupText({ ...meta, examples: [example], 'x-assumptions': [assumption] }).optional();
