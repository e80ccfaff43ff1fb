/* Compares a server's response with the twin's: accepted or refused, status, data or problems. */

import { isSpecified, messageOf, PUBLISHED_STATUSES } from '../../api/refusals.ts';
import { isObject, sameJson, valueAt } from '../../scenarios/json.ts';
import { isAccepted } from '../../scenarios/received.ts';
import { UNKNOWN_ROUTE } from '../../scenarios/shared.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import type { ErrorCode } from '../../world/errors.ts';
import { type AnsweredCall, basisOf, fieldAssumptions, optionalBy } from './basis.ts';
import { compareBodies } from './compare.ts';
import { type Comparison, formFindings } from './compare-values.ts';
import { type Cause, causeOf, type Finding, finding, UNKNOWN_FIELD } from './differences.ts';
import { leavesOf, shapeOf } from './forms.ts';
import { refusedSpelling, spellingOf } from './names.ts';
import { namedFields, problemIn, reasonIn } from './problems.ts';
import type { TwinAnswer } from './twin.ts';

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
  { operation, about, twin, server }: AnsweredCall,
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
  const untold = due.filter(
    (field) => !named.map(refusedSpelling).includes(refusedSpelling(field)),
  );
  if (about.length > 0 || untold.length === 0 || untold.length > named.length) {
    add(finding(path, expected, seen, ['validation-messages']));
    return;
  }
  // A few fields without a problem may be left out.
  const ids = optionalBy(operation, fieldAssumptions(operation, untold));
  const cause = { ...causeOf('accepts', twin.code), among: ids };
  add({ ...finding(path, expected, seen, ids.slice(0, 1)), cause });
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
