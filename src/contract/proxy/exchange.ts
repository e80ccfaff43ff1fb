import { bearerKey } from '../../api/activity.ts';
import type { Operation } from '../../api/operation.ts';
import { anyFamilies } from '../../products/world.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import {
  createPersonalRedact,
  hidden,
  isPersonalField,
  REDACTED,
  type Redact,
} from '../../world/redaction.ts';
import { type Finding, kindOf, UNKNOWN_FIELD } from '../differences.ts';
import { parseJson, showValue, truncateLine } from '../json.ts';

/** A call as a merchant's program made it. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** Names and values in turn, as they were sent. */
  readonly headers: readonly string[];
}

/** A request and the response it got, the bodies as they were before they were encoded. */
export interface Exchange extends ProxiedRequest {
  /** The bytes of the request's body; undefined where they can't be read. */
  readonly sent: Uint8Array | undefined;
  /** How many bytes of it there were. */
  readonly sentBytes: number;
  readonly status: number;
  readonly responseHeaders: readonly string[];
  readonly responseText: string;
}

/** An operation that a request asks for, whatever its method. */
export interface KnownCall {
  readonly operation: Operation;
  /** The fields that stand in the path. */
  readonly params: Readonly<Record<string, string>>;
}

/** The path of a target, without its query. */
export const pathOf = (target: string): string => target.split('?', 1)[0] as string;

/** The query of a target, without its `?`. */
export const queryOf = (target: string): string => target.slice(pathOf(target).length + 1);

const ROUTES = anyFamilies
  .flatMap(({ operations }) => operations)
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }));

/** The operation that a target names. */
export function callOf(target: string): KnownCall | undefined {
  const path = pathOf(target);
  for (const { operation, pattern } of ROUTES) {
    const found = pattern.exec(path);
    if (found) return { operation, params: decoded(found.groups ?? {}) };
  }
  return undefined;
}

const decoded = (groups: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeText(value)]));

/** A part of a path without its escapes; what is no text stays as it is. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Headers by name, of a list of names and values in turn. */
export function headersOf(list: readonly string[]): Headers {
  const headers = new Headers();
  for (let place = 0; place + 1 < list.length; place += 2) {
    try {
      headers.append(list[place] as string, list[place + 1] as string);
    } catch {
      // Node reads some headers that a list of the web does not take; none of them is looked at.
    }
  }
  return headers;
}

/** The JSON of a request's body; undefined if it holds none. */
export const sentJson = ({ sent }: Exchange): unknown =>
  sent && parseJson(new TextDecoder().decode(sent));

/** A place where an exchange differs from the contract, as the journal of a proxy shows it. */
export interface ShownDifference {
  /** A JSON path into the body, or `status`, or `header` and its name. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
  /** The assumptions it contradicts; none where the contract itself is not kept. */
  readonly assumption: readonly AssumptionId[];
}

/** How many differences of one exchange are kept; what is wrong with every element of a list is told once. */
const MAX_DIFFERENCES = 100;
/** How many kinds of difference are looked at: some are one once names are hidden. */
const MAX_KINDS = 1000;

/** What an exchange was found to differ in, each once, without what belongs to customers. */
export function differencesOf(findings: readonly Finding[], redact: Redact): ShownDifference[] {
  const shown = firstOfEachKind(findings).map(({ path, expected, seen, assumptions }) => {
    const isPersonal = isPersonalField(lastName(path));
    return {
      // The names of other fields are the contract's.
      path: expected === UNKNOWN_FIELD ? truncateLine(redact.text(path)) : path,
      expected: truncateLine(hideExpected(expected, isPersonal, redact)),
      seen: showValue(isPersonal ? hidden(seen) : redact.json(seen)),
      assumption: assumptions,
    };
  });
  return shown.slice(0, MAX_DIFFERENCES);
}

/** A long list may differ in every element: of what is told once, only the first is looked at closely. */
function firstOfEachKind(findings: readonly Finding[]): Finding[] {
  const kinds = new Map<string, Finding>();
  for (const finding of findings) {
    const kind = kindOf(finding);
    if (!kinds.has(kind)) kinds.set(kind, finding);
    if (kinds.size === MAX_KINDS) break;
  }
  return [...kinds.values()];
}

/** The field that a JSON path ends in, whatever the positions behind it. */
const lastName = (path: string): string =>
  path.match(/[a-z_]\w*/gi)?.findLast((name) => name !== 'length') ?? '';

/** What is expected is a value that was sent or answered elsewhere, or words of ours. */
function hideExpected(expected: string, isPersonal: boolean, redact: Redact): string {
  try {
    const value = JSON.parse(expected);
    return JSON.stringify(isPersonal ? hidden(value) : redact.json(value));
  } catch {
    return WORDS.text(expected);
  }
}

/** Words of ours may hold what a server wrote, a URL for one; nobody's name is looked for in them. */
const WORDS = createPersonalRedact(null, []);

/** Hides the key that was sent and the persons of both bodies. */
export const redactOf = ({ headers }: ProxiedRequest, bodies: readonly unknown[]): Redact =>
  createPersonalRedact(
    bearerKey(headersOf(headers).get('authorization') ?? undefined) ?? null,
    bodies,
  );

/** What the target of a request says of somebody, as a body would. */
export function personsIn({ target }: ProxiedRequest, { params }: KnownCall): unknown[] {
  const others = Object.values(params).filter((value) => shownNumber(value) === REDACTED);
  return [
    Object.fromEntries(new URLSearchParams(queryOf(target))),
    others.map((full_name) => ({ full_name })),
  ];
}

const POLICY_NUMBER = /^[a-z]{0,4}\d{1,20}$/i;

/** Path and query as they may be shown: of a query only what selects from a list. */
export function shownTarget(
  { target }: ProxiedRequest,
  call: KnownCall | undefined,
  redact: Redact,
): string {
  const selects = call?.operation.request.query?.shape ?? {};
  const path = call
    ? call.operation.path.replace(/:(\w+)/g, (name) => shownNumber(call.params[name.slice(1)]))
    : redact.text(pathOf(target));
  const query = [...new URLSearchParams(queryOf(target))].map(
    ([name, value]) => `${name}=${Object.hasOwn(selects, name) ? value : REDACTED}`,
  );
  return query.length === 0 ? path : `${path}?${redact.text(query.join('&'))}`;
}

/** What stands where a policy number should is shown only if it looks like one. */
const shownNumber = (value = ''): string =>
  POLICY_NUMBER.test(value) && !/^\d{11}$/.test(value) ? value : REDACTED;
