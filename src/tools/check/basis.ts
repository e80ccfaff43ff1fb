/* Tells which assumptions decide whether a request is accepted. */

import type { DeclaredError } from '../../api/failures.ts';
import { assumptionsOf } from '../../api/field-assumptions.ts';
import type { Operation } from '../../api/operation.ts';
import { ignoredFields } from '../../api/request-fields.ts';
import { isOfOtherType } from '../../scenarios/refusals.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import type { ErrorCode } from '../../world/errors.ts';
import { isOnlyForm, ofValue } from './compare-values.ts';
import { type NamedResponse, refusedSpelling, spellingOf } from './names.ts';
import { namedFields, problemIn } from './problems.ts';
import type { TwinAnswer } from './twin.ts';

/** A request with the responses of the twin and of the server. */
export interface AnsweredCall {
  readonly operation: Operation;
  /** The fields that the request is about. */
  readonly about: readonly string[];
  /** What the request tries: `with phone_no of 10 digits`. */
  readonly shows?: string;
  /** The assumptions that only this request can confirm. */
  readonly rests?: readonly AssumptionId[];
  readonly twin: TwinAnswer;
  readonly server: NamedResponse;
}

const isDeclared = (code: ErrorCode): code is DeclaredError =>
  code !== 'route_unknown' && code !== 'method_not_allowed';

/** Assumptions of every refusal, or every refusal of fields. */
const GENERAL: readonly string[] = [
  'error-envelope',
  'error-code-type',
  'http-status',
  'validation-messages',
  'text-and-numbers',
];

const isParticular = (id: string): boolean => id !== '' && !GENERAL.includes(id);

const saidBy = ({ headers }: TwinAnswer) =>
  (headers.get('sandbox-assumptions') ?? '').split(', ') as AssumptionId[];

/** The assumptions that decide whether a request is accepted. */
export function basisOf(call: AnsweredCall): readonly AssumptionId[] {
  const { operation, about, rests = [], twin, server } = call;
  if (rests.length > 0) return rests;
  if (twin.code) {
    if (!isDeclared(twin.code)) return ['http-status', 'unknown-route'];
    // The specification says so: policies that do not exist are refused, and tokens that are too old.
    if (twin.code === 'policy_unknown' || twin.code === 'token_expired') return [];
    const said = saidBy(twin);
    if (call.shows?.endsWith(' left out')) return optionalBy(operation, said);
    const particular = said.filter(isParticular);
    const isType = isOfOtherType(call.shows ?? '') && said.includes('text-and-numbers');
    if (isType && !particular.some(isOnlyForm)) return ['text-and-numbers'];
    // A value that is refused for what it says has the right form.
    const ofMeaning = ofValue(particular);
    if (ofMeaning.length > 0) return ofMeaning;
    if (particular.length > 0) return particular;
    const refused = namedFields(twin.body).map((path) => path.split('.', 1)[0] as string);
    const fromFields = fieldAssumptions(operation, refused);
    return fromFields.length > 0 ? fromFields : ['http-status'];
  }
  // A token that a server issued is valid for as long as the specification says.
  const isVerify = operation.errors.includes('token_unknown');
  if (isVerify && about.length === 0 && /token/i.test(problemIn(server.body) ?? '')) return [];
  const named = namedFields(server.body).map(refusedSpelling);
  const fields = Object.keys(operation.input?.shape ?? {});
  const known = fields.filter((field) => named.includes(spellingOf(field)));
  // A refusal that names some of the tried fields is not about the others.
  const text = spellingOf(server.text);
  const said = about.filter((field) => text.includes(spellingOf(field)));
  const ids = fieldAssumptions(operation, [...(said.length > 0 ? said : about), ...known]);
  // A request that tries nothing in particular shows which fields are required.
  return ids.length > 0 ? ids : saidBy(twin).filter(isAboutRequired);
}

/** The assumptions that decide whether fields may be left out: those about the fields, but not about their texts. */
export function optionalBy(
  { assumptions }: Operation,
  ofFields: readonly AssumptionId[],
): readonly AssumptionId[] {
  const particular = ofFields.filter((id) => isParticular(id) && id !== 'encoding');
  return particular.length > 0 ? particular : assumptions.filter(isAboutRequired);
}

/** Whether an assumption says which fields are required. */
const isAboutRequired = (id: string): boolean => /-(required|body)$/.test(id);

/** The assumptions about fields of a request. */
export function fieldAssumptions(
  { input }: Pick<Operation, 'input'>,
  fields: readonly string[],
): AssumptionId[] {
  const shape = input?.shape ?? {};
  const ignored = ignoredFields(input);
  const ids = fields.flatMap((field): readonly AssumptionId[] => {
    if (Object.hasOwn(shape, field)) return assumptionsOf(shape[field] as never);
    return Object.hasOwn(ignored, field)
      ? (ignored[field]?.['x-assumptions'] ?? [])
      : ['unknown-fields'];
  });
  return [...new Set(ids)];
}
