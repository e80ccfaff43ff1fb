/* A request with its response, and what may be shown of it. */

import type { Operation } from '../../api/operation.ts';
import { bearerKey } from '../../api/request.ts';
import { parseJson } from '../../kit/receive.ts';
import { showValue, truncateLine } from '../../scenarios/json.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { REDACTED, type Redact } from '../../world/redaction.ts';
import { type Finding, kindOf, UNKNOWN_FIELD } from '../check/differences.ts';
import { isPersonalNumber, redactPersons } from './personal-data.ts';

/** A request as the merchant's program sent it. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** Alternating names and values, as sent. */
  readonly headers: readonly string[];
}

/** A request and its response, with decoded bodies. */
export interface Exchange extends ProxiedRequest {
  /** The bytes of the request body; undefined if they cannot be read. */
  readonly sent: Uint8Array | undefined;
  /** The size of the request body. */
  readonly sentBytes: number;
  readonly status: number;
  readonly responseHeaders: readonly string[];
  readonly responseText: string;
}

/** The operation of a request's path, for any method. */
export interface KnownCall {
  readonly operation: Operation;
  /** The fields in the path. */
  readonly params: Readonly<Record<string, string>>;
}

/** The path of a target, without its query. */
export const pathOf = (target: string): string => target.split('?', 1)[0] as string;

/** The query of a target, without its `?`. */
export const queryOf = (target: string): string => target.slice(pathOf(target).length + 1);

/** Returns a function that finds the operation of a request target. */
export function createRouter(
  operations: readonly Operation[],
): (target: string) => KnownCall | undefined {
  const routes = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }));
  return (target) => {
    const path = pathOf(target);
    for (const { operation, pattern } of routes) {
      const found = pattern.exec(path);
      if (found) return { operation, params: decoded(found.groups ?? {}) };
    }
    return undefined;
  };
}

const decoded = (groups: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeText(value)]));

/** Decodes a part of a path. Invalid escapes stay as they are. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Headers from a list of alternating names and values. */
export function headersOf(list: readonly string[]): Headers {
  const headers = new Headers();
  for (let place = 0; place + 1 < list.length; place += 2) {
    try {
      headers.append(list[place] as string, list[place + 1] as string);
    } catch {
      // Node accepts some headers that `Headers` refuses. None of them is used.
    }
  }
  return headers;
}

/** The JSON of a request body; undefined if the body is not JSON. */
export const sentJson = ({ sent }: Exchange): unknown =>
  sent && parseJson(new TextDecoder().decode(sent));

/** A difference from the contract, as the proxy's journal shows it. */
export interface ShownDifference {
  /** A JSON path into the body, or `status`, or `header` and its name. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
  /** The contradicted assumptions; empty if the contract itself is broken. */
  readonly assumption: readonly AssumptionId[];
}

/** Maximum number of differences per exchange. A mistake in every element of a list counts once. */
const MAX_DIFFERENCES = 100;
/** Maximum number of kinds of differences to process; some become equal once names are hidden. */
const MAX_KINDS = 1000;

/** The distinct differences of an exchange, with personal data hidden. */
export function differencesOf(findings: readonly Finding[], redact: Redact): ShownDifference[] {
  const shown = firstOfEachKind(findings).map(({ path, expected, seen, assumptions }) => {
    const name = lastName(path);
    return {
      // Only unknown fields can have names from outside the contract.
      path: expected === UNKNOWN_FIELD ? truncateLine(redact.text(path)) : path,
      expected: truncateLine(hideExpected(expected, name, redact)),
      seen: showValue(redact.field(name, seen)),
      assumption: assumptions,
    };
  });
  return shown.slice(0, MAX_DIFFERENCES);
}

/** The first finding of each kind. A long list may differ in every element. */
function firstOfEachKind(findings: readonly Finding[]): Finding[] {
  const kinds = new Map<string, Finding>();
  for (const finding of findings) {
    // Of one exchange, each field counts, even if one cause explains several.
    const { cause: _, ...alone } = finding;
    const kind = kindOf(alone);
    if (!kinds.has(kind)) kinds.set(kind, finding);
    if (kinds.size === MAX_KINDS) break;
  }
  return [...kinds.values()];
}

/** The last field of a JSON path, without positions. */
const lastName = (path: string): string =>
  path.match(/[a-z_]\w*/gi)?.findLast((name) => name !== 'length') ?? '';

/** Hides personal data in an expected value. It is JSON, a text of this program, or JSON after one. */
function hideExpected(expected: string, name: string, redact: Redact): string {
  const words = /^[a-z ]+: /.exec(expected)?.[0] ?? '';
  try {
    return words + JSON.stringify(redact.field(name, JSON.parse(expected.slice(words.length))));
  } catch {
    return WORDS.text(expected);
  }
}

/** Texts of this program may contain values from a server, such as a URL, but no names of persons. */
const WORDS = redactPersons(null, []);

/** Hides the key and the persons in both bodies. */
export const redactOf = ({ headers }: ProxiedRequest, bodies: readonly unknown[]): Redact =>
  redactPersons(bearerKey(headersOf(headers).get('authorization') ?? undefined) ?? null, bodies);

/** Personal data in the request target, in the form of a body. */
export function personsIn({ target }: ProxiedRequest, { params }: KnownCall): unknown[] {
  const others = Object.values(params).filter((value) => shownNumber(value) === REDACTED);
  return [
    Object.fromEntries(new URLSearchParams(queryOf(target))),
    others.map((full_name) => ({ full_name })),
  ];
}

const POLICY_NUMBER = /^[a-z]{0,4}\d{1,20}$/i;

/** Path and query for display. Of the query, only values that select from a list are shown. */
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

/** The value in place of a policy number is shown only if it looks like one. */
const shownNumber = (value = ''): string =>
  POLICY_NUMBER.test(value) && !isPersonalNumber(value) ? value : REDACTED;
