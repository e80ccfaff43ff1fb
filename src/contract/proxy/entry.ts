import { bearerKey } from '../../api/activity.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import {
  createPersonalRedact,
  hidden,
  isPersonalField,
  REDACTED,
  type Redact,
} from '../../world/redaction.ts';
import { type Finding, kindOf, UNKNOWN_FIELD } from '../differences.ts';
import { showValue, truncateLine } from '../json.ts';
import { headersOf, type KnownCall, type ProxiedRequest, pathOf, queryOf } from './exchange.ts';

/** A place where an exchange differs from the contract, as the journal of a proxy shows it. */
export interface ShownDifference {
  /** A JSON path into the body, or `status`, or `header` and its name. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
  /** The assumptions it contradicts; none where the contract itself is not kept. */
  readonly assumption: readonly AssumptionId[];
}

/** What a proxy remembers of an exchange. Holds no key and nobody's name. */
export interface ProxyEntry {
  readonly id: string;
  /** When the request came. */
  readonly at: string;
  /** Null for a path that no operation has. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** Null where the service gave no answer. */
  readonly status: number | null;
  readonly elapsed_ms: number;
  /** Why it was not held against the contract; null where it was. */
  readonly not_judged: string | null;
  readonly differences: readonly ShownDifference[];
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
