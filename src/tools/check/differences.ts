/* Findings, and how those of one kind become one difference. */

import { sameJson, withoutPositions } from '../../scenarios/json.ts';
import type { AssumptionId } from '../../world/assumptions.ts';

/** A place where a server's response differs from the twin's. */
export interface Finding {
  /** A JSON path into the body, `status`, or `header` and its name. */
  readonly path: string;
  readonly expected: string;
  readonly seen: unknown;
  /** The contradicted assumptions; empty if the contract itself is broken. */
  readonly assumptions: readonly AssumptionId[];
  /** Why it differs, if other places may differ for the same reason. */
  readonly cause?: Cause;
  /** The number of values that cannot be compared because of it. Default: 1. */
  readonly weight?: number;
}

/** Why a server differs in one or several places. */
export interface Cause {
  /** The same for findings that are one difference. */
  readonly key: string;
  /** Whether it hides other differences. */
  readonly hides?: true;
  /** The key of what causes like this one have in common: several of them are one difference. */
  readonly common?: string;
  /** Keys of causes that are the same difference in the same operation. */
  readonly covers?: readonly string[];
  /** Assumptions that may be the reason: findings that share one are one difference. */
  readonly among?: readonly AssumptionId[];
  /** What was tried: a difference counts its other values. */
  readonly value?: string;
  /** What a report shows in place of the first finding. */
  readonly shown?: Pick<Finding, 'path' | 'expected' | 'seen'>;
}

export const causeOf = (...parts: readonly unknown[]): Cause => ({ key: JSON.stringify(parts) });

export const finding = (
  path: string,
  expected: string,
  seen: unknown,
  assumptions: readonly AssumptionId[] = [],
): Finding => ({ path, expected, seen, assumptions });

/** What is expected in place of a field that the contract does not have. */
export const UNKNOWN_FIELD = 'no such field in the contract';

/** Follows what only a twin with the profile expects. */
export const WITH_PROFILE = ' (with this profile)';

/** A finding, and the request that showed it. */
export interface Located extends Finding {
  readonly operation: string;
  /** The scenario and the description of the request. */
  readonly scenario: string;
  readonly shows: string;
  /** The place of the request in its scenario. */
  readonly step?: number;
}

/** An operation and a path with a difference. */
export interface Place {
  readonly operation: string;
  /** A JSON path without list positions. */
  readonly path: string;
  readonly times: number;
}

/** One way in which a server differs, however often it was seen. */
export interface Difference<Seen = unknown> {
  readonly path: string;
  readonly expected: string;
  readonly seen: Seen;
  /** The contradicted assumptions; empty if the contract itself is broken. */
  readonly assumptions: readonly AssumptionId[];
  /** Where it was seen first. */
  readonly example: {
    readonly operation: string;
    readonly scenario: string;
    readonly shows: string;
  };
  readonly places: readonly Place[];
  /** Whether it hides other differences: an envelope, a status, the form of a whole answer. */
  readonly hides?: true;
}

/** Whether a path is in the `data` of a success, where each record has other values. */
export const isInData = (path: string): boolean =>
  /^\$\.data[.[]/.test(path) && !path.startsWith('$.data.error');

export const typeOf = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : value === null
      ? 'null'
      : Array.isArray(value)
        ? 'list'
        : typeof value;

/** The last field of a JSON path. */
export const fieldOf = (path: string): string => {
  const [field = path] = withoutPositions(path).replaceAll('[]', '').split('.').slice(-1);
  return field;
};

/** What the last field of a JSON path is about: all page URLs follow one rule, and `product.id` is a `product_id`. */
export const subjectOf = (path: string): string =>
  fieldOf(path.replace(/\.(user|product)\.id$/, '.$1_id')).replace(
    /^(first|last|next|prev)_page_url$/,
    'page_url',
  );

/** Findings of one kind are one difference. Without a known cause, the kind is the field, its assumptions and the mistake. */
export function kindOf({ path, expected, seen, assumptions, cause }: Finding): string {
  if (cause) return cause.key;
  const place = withoutPositions(path);
  // The same field counts once, wherever the record is.
  if (isInData(path)) {
    const rule = /^["[{\d-]|^(true|false|null)$/.test(expected)
      ? 'a value'
      : expected.split(':', 1)[0];
    return JSON.stringify([fieldOf(path), assumptions, rule, typeOf(seen)]);
  }
  if (expected === UNKNOWN_FIELD) return JSON.stringify([place, assumptions, expected]);
  const words =
    path === '$.data.error' || path === '$.errors'
      ? [typeOf(seen)]
      : [expected, typeof seen === 'object' ? typeOf(seen) : seen];
  return JSON.stringify([place.replace('$.response_message', '$.message'), assumptions, ...words]);
}

/** The cause of a field that the contract does not have. Many of them are null because records of a kind share them. */
export const unknownField = (path: string, isNull = false): Cause => ({
  ...causeOf('unknown field', subjectOf(path), isInData(path)),
  ...(isNull && { common: MORE_NULLS, value: subjectOf(path) }),
});

const { key: MORE_NULLS } = causeOf('unknown fields that are null');

/** The cause of a field that is missing. Many that are null are left out because of that. */
export const missingField = (path: string, isNull: boolean): Cause =>
  isNull
    ? { ...causeOf('missing null', subjectOf(path)), common: NULLS, value: subjectOf(path) }
    : causeOf('missing field', subjectOf(path), isInData(path));

/** Whether a finding is about a field that is missing, and not about the form of a refusal. */
const isMissing = ({ path, cause }: Finding): boolean =>
  [true, false].some((isNull) => missingField(path, isNull).key === cause?.key);

/** The cause of a field under another name. Many that are spelt otherwise are because of that. */
export const nameCause = (path: string, other: string, isSpelling: boolean): Cause => ({
  ...causeOf(OTHER_NAME, fieldOf(path), fieldOf(other), isInData(path)),
  covers: [missingField(path, false).key, unknownField(other).key],
  ...(isSpelling && { common: SPELLING, value: fieldOf(path) }),
});

const OTHER_NAME = 'other name';

/** Whether a finding is about the name of a field, not what it has. */
export const isOfName = ({ cause }: Finding): boolean =>
  cause?.key.startsWith(`["${OTHER_NAME}"`) === true;

const { key: NULLS } = causeOf('fields that are null are left out');
const { key: SPELLING } = causeOf('names are spelt otherwise');

/**
 * Each difference once, with all its places: first those that hide others, then by the number of places.
 *
 * @param reasonOf the common cause of a finding that shows in many places; undefined if there is none
 */
export function foldFindings(
  findings: readonly Located[],
  reasonOf: (finding: Located) => string | undefined = () => undefined,
): Difference[] {
  const keys = new Set(
    findings.filter(({ cause }) => cause?.common !== MORE_NULLS).map((found) => kindOf(found)),
  );
  const alike = new Map<string, Set<string>>();
  for (const { cause } of findings) {
    if (cause?.common === undefined) continue;
    alike.set(cause.common, (alike.get(cause.common) ?? new Set()).add(cause.key));
  }
  const among = new Map<AssumptionId, number>();
  for (const id of findings.flatMap(({ cause }) => cause?.among ?? [])) {
    among.set(id, (among.get(id) ?? 0) + 1);
  }
  const covered = new Map<string, Located>();
  for (const found of findings) {
    for (const key of found.cause?.covers ?? []) covered.set(`${found.operation} ${key}`, found);
  }
  const kindIn = (found: Located): string => {
    const reason = reasonOf(found);
    if (reason !== undefined) return reason;
    const missing = isMissing(found) ? missingField(found.path, false).key : undefined;
    const cover = covered.get(`${found.operation} ${missing ?? found.cause?.key}`);
    if (cover) return kindIn(cover);
    if (found.cause?.among) {
      const count = (id: AssumptionId) => among.get(id) ?? 0;
      const [most] = found.cause.among.toSorted((a, b) => count(b) - count(a));
      return JSON.stringify([found.cause.key, most]);
    }
    // A field that is missing with any value is not left out because it is null.
    if (missing !== undefined && keys.has(missing)) return missing;
    const { common } = found.cause ?? {};
    if (common !== undefined && (alike.get(common)?.size ?? 0) > 1) return common;
    // A field that other answers have too is no part of a refusal's form.
    const unknown = unknownField(found.path).key;
    return found.expected === UNKNOWN_FIELD && keys.has(unknown) ? unknown : kindOf(found);
  };
  const kinds = new Map<string, Located[]>();
  for (const found of findings) {
    const kind = kindIn(found);
    const known = kinds.get(kind);
    if (known) known.push(found);
    else kinds.set(kind, [found]);
  }
  const differences = [...kinds].map(([kind, all]): Difference => {
    const hasReason = reasonOf(all[0] as Located) !== undefined;
    // A field that other answers have too is not shown as a part of a refusal.
    const own = all.filter((found) => hasReason || kindOf(found) === kind);
    const leads = own.length > 0 ? own : all;
    const isClear = ({ cause, path }: Located) => cause?.hides || path === '$.success';
    const lead = (leads.find(isClear) ?? leads[0]) as Located;
    const { operation, scenario, shows, cause } = lead;
    const { path, expected: first, seen } = cause?.shown ?? lead;
    const example = { operation, scenario, shows };
    const hides = cause?.hides ? { hides: true as const } : {};
    const expected = withOthers(first, lead, hasReason ? [] : all);
    const assumptions = assumptionsOf(lead, leads);
    return { path, expected, seen, assumptions, example, places: placesOf(all), ...hides };
  });
  return inOrder(differences);
}

/** What is expected, and of what else. */
function withOthers(first: string, lead: Located, findings: readonly Located[]): string {
  const expected = findings.flatMap(({ cause }) =>
    cause?.common !== undefined && cause.shown ? [cause.shown.expected] : [],
  );
  if (expected.length > 0) {
    const texts = [first, ...expected];
    const bare = texts.map((each) => each.replace(WITH_PROFILE, ''));
    return texts.filter((_, place) => bare.indexOf(bare[place] as string) === place).join(', ');
  }
  const common = lead.cause?.common;
  const values = findings.flatMap(({ cause }) =>
    cause?.value !== undefined && cause.common === common ? [cause.value] : [],
  );
  const others = new Set(values).size - 1;
  if (others <= 0) return first;
  const s = others === 1 ? '' : 's';
  if (common === NULLS) return `${first}, and ${others} other field${s} that should be null`;
  if (common === MORE_NULLS) return `${first}, and ${others} other field${s} with null`;
  return `${first}, and ${others} other ${common === SPELLING ? 'field' : 'value'}${s}`;
}

/** The assumptions that all findings contradict; if there are none, those of each. */
function assumptionsOf(lead: Located, findings: readonly Located[]): readonly AssumptionId[] {
  if (lead.assumptions.length === 0) return [];
  const ids = [...new Set(findings.flatMap(({ assumptions }) => assumptions))];
  const shared = ids.filter((id) => findings.every(({ assumptions }) => assumptions.includes(id)));
  return shared.length > 0 ? shared : ids;
}

/** First the differences that hide others, then by the number of places. */
export const inOrder = <D extends Difference>(differences: readonly D[]): D[] =>
  differences.toSorted(
    (a, b) =>
      rankOf(b) - rankOf(a) || b.places.length - a.places.length || timesOf([b]) - timesOf([a]),
  );

/** What concerns whole requests of a program comes before the form of refusals. */
const rankOf = ({ hides, path }: Difference): number =>
  hides ? 1 + Number(path === '$.success' || path === '$.data') : 0;

function placesOf(findings: readonly Located[]): Place[] {
  const places: { operation: string; path: string; times: number }[] = [];
  for (const { operation, path: at } of findings) {
    const path = withoutPositions(at);
    const known = places.find((place) =>
      sameJson([place.operation, place.path], [operation, path]),
    );
    if (known) known.times += 1;
    else places.push({ operation, path, times: 1 });
  }
  return places;
}

/** How often the differences were seen. */
export const timesOf = (differences: readonly Difference[]): number =>
  differences.flatMap(({ places }) => places).reduce((sum, { times }) => sum + times, 0);
