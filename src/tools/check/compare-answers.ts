/* Compares a server's response with the twin's: accepted or refused, status, data or problems. */

import type { DeclaredError } from '../../api/failures.ts';
import { assumptionsOf } from '../../api/field-assumptions.ts';
import type { Operation } from '../../api/operation.ts';
import { isSpecified, messageOf, PUBLISHED_STATUSES, type Refusal } from '../../api/refusals.ts';
import { ignoredFields } from '../../api/request-fields.ts';
import { isObject, sameJson, valueAt } from '../../scenarios/json.ts';
import { isAccepted } from '../../scenarios/received.ts';
import { isOfOtherType } from '../../scenarios/refusals.ts';
import { UNKNOWN_ROUTE } from '../../scenarios/shared.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import type { ErrorCode, Problem } from '../../world/errors.ts';
import { compareBodies } from './compare.ts';
import { type Comparison, formFindings, isOnlyForm, ofValue } from './compare-values.ts';
import { type Cause, causeOf, type Finding, finding, UNKNOWN_FIELD } from './differences.ts';
import { leavesOf, shapeOf } from './forms.ts';
import { type NamedResponse, refusedSpelling, spellingOf } from './names.ts';
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

/** Compares a server's response with the twin's. Yields between elements of a list. */
export function* compareAnswers(call: AnsweredCall, context: Comparison): Generator<void, void> {
  const { operation, twin, server } = call;
  const { status, headers, text, body } = server;
  const weight = leavesOf(twin.body) + leavesOf(body);
  const add = (
    path: string,
    expected: string,
    said: unknown,
    about: readonly AssumptionId[],
    cause: Cause,
  ) => context.add({ ...finding(path, expected, said, about), weight, cause });
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const type = headers.get('content-type') ?? 'no type';
    const said = text === '' ? 'an empty body' : `${status} ${type}: ${text}`;
    const cause = causeOf('not JSON', text === '' ? '' : [type, text.slice(0, 40)]);
    add('$', 'a JSON object', said, ['error-envelope'], { ...cause, hides: true });
    if (twin.code && status >= 400 && status < 500) {
      compareStatuses(call, context);
      compareHeaders(call, context.add);
    }
    return;
  }
  const success = valueAt(body, 'success');
  if (status >= 500 && success !== false && status !== twin.due) {
    // A server error means neither accepted nor refused.
    const cause = causeOf('server error', status);
    add('status', inWords(twin), { status, body }, ['http-status'], cause);
    return;
  }
  if (isAccepted(twin) !== isAccepted(server)) {
    const { shows = '' } = call;
    const accepted = shows === '' ? 'true' : `accepted ${shows}`;
    const expected = twin.code ? `refused with ${inWords(twin, triedBy(call))}` : accepted;
    const refusal = { status, problem: problemIn(body), body };
    const said = twin.code ? (success ?? { status, body }) : refusal;
    const about = basisOf(call);
    // One rule refuses what is tried, in whichever field.
    const reason = call.about.reduce(
      (text, field) => text.replaceAll(field, '…').replaceAll(field.replaceAll('_', ' '), '…'),
      reasonIn(body),
    );
    const cause = twin.code
      ? { ...causeOf('accepts', twin.code), among: about, ...valueTried(call) }
      : causeOf('refuses', reason, about[0]);
    add('$.success', expected, said, about, cause);
    return;
  }
  compareStatuses(call, context);
  for (const each of server.renamed) context.add(each);
  if (twin.code) compareRefusals(call, context);
  else yield* compareBodies(operation.success, twin.body, body, context);
}

function compareStatuses(
  { operation, twin, server: { status } }: AnsweredCall,
  { add }: Comparison,
) {
  if (status === twin.due) return;
  const cause = { ...causeOf('status', twin.code, status), hides: true as const };
  const shown = { path: 'status', expected: inWords(twin, ''), seen: status };
  const isUnknown = operation.operationId === UNKNOWN_ROUTE;
  const about: AssumptionId[] = ['http-status', ...(isUnknown ? ['unknown-route' as const] : [])];
  // One status for many kinds of refusals is one difference.
  const common = causeOf('status', status).key;
  add({ ...finding('status', inWords(twin), status, about), cause: { ...cause, shown, common } });
}

/** The first problem of a refusal, in its own words; undefined if it has none. */
function problemIn(body: unknown): string | undefined {
  const [problem] = problemsIn(body);
  const named = valueAt(body, 'errors.0');
  const said =
    problem?.message ||
    valueAt(named, 'detail') ||
    valueAt(named, 'message') ||
    valueAt(named, 'msg');
  const message =
    said ??
    ['response_message', 'message', 'detail'].map((name) => valueAt(body, name)).find(Boolean);
  return message === undefined ? undefined : String(message);
}

/** What a refusal gives as its reason, without words with digits, which may belong to one call. */
export const reasonIn = (body: unknown): string =>
  (problemIn(body) ?? shapeOf(body)).replace(/\S*\d\S*/g, '0');

const OTHER_DIGITS = /(that is a number )?of \d+ digits|with a plus/;

/** What the request tried, without the field. */
function valueTried({ about, shows = '' }: AnsweredCall): Pick<Cause, 'value'> {
  if (about.length === 0) return {};
  const value = about.reduce((text, field) => text.replace(field, '…'), shows);
  return { value: value.replace(OTHER_DIGITS, 'digits') };
}

/** What the request tries, after a refusal: ` for phone_no of 10 digits`; undefined if it tries no field. */
const triedBy = ({ about, shows = '' }: AnsweredCall): string | undefined =>
  about.length > 0 && shows.startsWith('with ') ? ` for ${shows.slice('with '.length)}` : undefined;

/** A response in words: `200`, or `422 (invalid)` with what is refused; by default the refused fields. */
function inWords({ due, code, body }: TwinAnswer, refused = fieldsIn(code, body)): string {
  return code ? `${due} (${code.replaceAll('_', ' ')})${refused}` : '200';
}

function fieldsIn(code: ErrorCode | undefined, body: unknown): string {
  const fields = code === 'invalid' ? namedFields(body) : [];
  return fields.length === 0 ? '' : ` for ${fields.slice(0, 3).join(', ')}`;
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
function basisOf(call: AnsweredCall): readonly AssumptionId[] {
  const { operation, about, rests = [], twin, server } = call;
  if (rests.length > 0) return rests;
  if (twin.code) {
    if (!isDeclared(twin.code)) return ['http-status', 'unknown-route'];
    // The specification says so: policies that do not exist are refused, and tokens that are too old.
    if (twin.code === 'policy_unknown' || twin.code === 'token_expired') return [];
    const said = saidBy(twin);
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
  const named = namedFields(server.body).map(refusedSpelling);
  const fields = Object.keys(operation.input?.shape ?? {});
  const known = fields.filter((field) => named.includes(spellingOf(field)));
  // A refusal that names some of the tried fields is not about the others.
  const text = spellingOf(server.text);
  const said = about.filter((field) => text.includes(spellingOf(field)));
  const ids = fieldAssumptions(operation, [...(said.length > 0 ? said : about), ...known]);
  // A request that tries nothing in particular shows which fields are required.
  return ids.length > 0 ? ids : saidBy(twin).filter((id) => /-(required|body)$/.test(id));
}

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

/** The fields that the body of a refusal names, in order. */
export function namedFields(body: unknown): string[] {
  const problems: unknown = valueAt(body, 'data.error');
  const errors = problemsByField(body);
  if (errors) return Object.keys(errors);
  return Array.isArray(problems) ? problems.flatMap((problem) => fieldIn(problem) ?? []) : [];
}

/** Problems as lists of texts by field, under `errors` or as the whole body. */
function problemsByField(body: unknown): Readonly<Record<string, unknown>> | undefined {
  const errors = valueAt(body, 'errors');
  if (isObject(errors)) return errors;
  const isProblems = (value: unknown) => [value].flat().every((each) => typeof each === 'string');
  const lists = isObject(body) ? Object.values(body).filter(Array.isArray) : [];
  const isWhole = isObject(body) && lists.length > 0 && lists.length === Object.keys(body).length;
  return isWhole && lists.every(isProblems) ? body : undefined;
}

/** The field that a problem names, as the contract words it. */
const fieldIn = (problem: unknown): string | undefined =>
  /^The (\S+) field .+\.$/s.exec(String(problem))?.[1];

/** The problems in the body of a refusal, in either form of `error-envelope`, each with the field that it names. */
export function problemsIn(body: unknown): Problem[] {
  const errors = problemsByField(body);
  if (errors) {
    return Object.entries(errors).flatMap(([field, messages]) =>
      [messages].flat().map((message) => ({ field, message: String(message), assumptions: [] })),
    );
  }
  return [valueAt(body, 'data.error') ?? []].flat().map((message): Problem => {
    const field = fieldIn(message);
    return { ...(field !== undefined && { field }), message: String(message), assumptions: [] };
  });
}

/** The problems of a refusal, which has at least one. */
export const refusalProblems = ([first, ...others]: readonly Problem[]): Refusal['problems'] => [
  first ?? { message: '', assumptions: [] },
  ...others,
];

/** The refusals whose messages a profile can set, by assumption. */
const WORDED: readonly (readonly [AssumptionId, ErrorCode])[] = [
  ['auth-failure', 'unauthenticated'],
  ['token-expired', 'token_expired'],
  ['token-unknown', 'token_unknown'],
  ['token-used', 'token_used'],
];

/** The assumption about a refusal's message; undefined if the message is not part of the contract. */
function wordsOf({ operation, twin }: AnsweredCall, message: unknown) {
  const { code } = twin;
  if (!code) return undefined;
  // The specification shows this message.
  if (isSpecified(operation.envelope, code)) return [];
  const known = WORDED.find(([, each]) => messageOf(each, operation.settings) === message);
  if (!known) return undefined;
  return twin.headers.get('sandbox-assumptions')?.includes('token-used')
    ? ['token-used' as const]
    : [known[0]];
}

/** Compares the form, code, contractual message, named fields and headers of two refusals. */
function compareRefusals(call: AnsweredCall, { add }: Comparison): void {
  const { twin, server } = call;
  const forms = formsOf(call);
  // Fields of another name or type are one difference: the form of the refusal.
  const isEnvelope = (path: string) => path !== '$.response_code';
  const isUnknown = (each: Finding) => each.expected === UNKNOWN_FIELD;
  const isOther =
    forms.some((each) => isEnvelope(each.path) && !isUnknown(each)) ||
    forms.filter(isUnknown).length > 1;
  const [expected, form] = [twin, server].map(({ body }) => shapeOf(body));
  const envelope: Cause = {
    // The contract itself has two names for the message.
    ...causeOf('envelope', form?.replace('response_message', 'message')),
    hides: true,
    shown: { path: '$', expected: String(expected), seen: server.body },
  };
  for (const each of forms) {
    const isOfForm = isEnvelope(each.path) || each.seen === undefined || isUnknown(each);
    const isPart = isOther && isOfForm;
    const place = each.path.replace(/^\$\.response_m/, '$.m');
    const cause = isPart ? envelope : causeOf('refusal', place);
    const about: readonly AssumptionId[] =
      isPart || each.assumptions.length === 0 ? ['error-envelope'] : each.assumptions;
    add({ ...each, assumptions: about, cause });
  }
  const isBroken = (path: string) => forms.some((each) => each.path === path);
  const [twinCode, code] = [twin, server].map(({ body }) => valueAt(body, 'response_code'));
  if (!isBroken('$.response_code') && !sameJson(twinCode, code)) {
    const cause = causeOf('value of response_code', twin.code);
    add({
      ...finding('$.response_code', JSON.stringify(twinCode), code, ['error-code-type']),
      cause,
    });
  }
  const key = valueAt(twin.body, 'message') === undefined ? 'response_message' : 'message';
  const path = `$.${key}`;
  const [twinMessage, message] = [twin, server].map(({ body }) => valueAt(body, key));
  const words = wordsOf(call, twinMessage);
  if (words && !isBroken(path) && message !== twinMessage) {
    const cause = causeOf('words', words, message);
    add({ ...finding(path, JSON.stringify(twinMessage), message, words), cause });
  }
  const [first] = [valueAt(server.body, 'data.error')].flat();
  if (!isBroken(path) && !isBroken('$.data.error') && first !== undefined && first !== message) {
    add(finding(path, `the first problem: ${JSON.stringify(first)}`, message, ['error-envelope']));
  }
  compareFields(call, isBroken, add);
  compareHeaders(call, add);
}

/** What is wrong with the form of a refusal. Its status may say that it is one of another kind. */
function formsOf({ operation, twin, server: { status, body } }: AnsweredCall): Finding[] {
  const { statuses, failure, errors } = operation;
  const others = errors.filter((code) => statuses[code] === status);
  const forms = [twin.code as ErrorCode, ...others].map((code) =>
    formFindings(failure(code), body, '$'),
  );
  return forms.find((each) => each.length === 0) ?? (forms[0] as Finding[]);
}

function compareFields(
  { about, twin, server }: AnsweredCall,
  isBroken: (path: string) => boolean,
  add: Comparison['add'],
): void {
  // What else a server says of a request that tries some fields follows from them.
  const isTried = (field: string) =>
    about.length === 0 ||
    about.map(spellingOf).includes(refusedSpelling(field).split('.')[0] ?? '');
  const [due, named] = [twin, server].map(({ body }) => namedFields(body).filter(isTried)) as [
    string[],
    string[],
  ];
  const isLaravel = isObject(valueAt(twin.body, 'errors'));
  const path = isLaravel ? '$.errors' : '$.data.error';
  if (isBroken(path) || isBroken('$.data') || due.length === 0) return;
  const order = (fields: string[]) => {
    const spelt = fields.map(refusedSpelling);
    return JSON.stringify(isLaravel ? spelt.toSorted() : spelt);
  };
  const seen = valueAt(server.body, path.slice(2));
  if (order(due) === order(named)) {
    const field = due.find((each) => !named.includes(each));
    if (field === undefined) return;
    const name = finding(path, `the contract's name ${field}`, seen, ['validation-messages']);
    add({ ...name, cause: causeOf('names of refused fields') });
    return;
  }
  const expected = `${due.length === 1 ? 'a problem' : `${due.length} problems`} with ${due.join(', ')}`;
  add(finding(path, expected, seen, ['validation-messages']));
}

const METHOD_NOT_ALLOWED = PUBLISHED_STATUSES.method_not_allowed;

/** Compares the headers of a refusal. */
function compareHeaders(
  { twin, server: { status, headers } }: AnsweredCall,
  add: Comparison['add'],
): void {
  // Another status is a difference of its own.
  if (twin.code === 'unauthenticated' && status === twin.due) {
    const challenge = headers.get('www-authenticate');
    if (!/^bearer\b/i.test(challenge ?? '')) {
      add(finding('header www-authenticate', 'Bearer', challenge ?? undefined, ['auth-failure']));
    }
  }
  const due = twin.headers.get('allow');
  if (due === null || status !== METHOD_NOT_ALLOWED) return;
  const methods = (headers.get('allow') ?? '').split(',').map((method) => method.trim());
  if (!due.split(', ').every((method) => methods.includes(method))) {
    add(finding('header allow', due, headers.get('allow') ?? undefined, ['http-status']));
  }
}
