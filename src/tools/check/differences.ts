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
}

export const finding = (
  path: string,
  expected: string,
  seen: unknown,
  assumptions: readonly AssumptionId[] = [],
): Finding => ({ path, expected, seen, assumptions });

/** What is expected in place of a field that the contract does not have. */
export const UNKNOWN_FIELD = 'no such field in the contract';

/** A finding, and the request that showed it. */
export interface Located extends Finding {
  readonly operation: string;
  /** The scenario and the description of the request. */
  readonly scenario: string;
  readonly shows: string;
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
}

/** Whether a path is in the `data` of a success, where each record has other values. */
const isInData = (path: string): boolean => path.startsWith('$.data.') && path !== '$.data.error';

const typeOf = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : value === null
      ? 'null'
      : Array.isArray(value)
        ? 'list'
        : typeof value;

/** Findings of one kind are one difference. The kind is the field, its assumptions and the mistake. */
export function kindOf({ path, expected, seen, assumptions }: Finding): string {
  const place = withoutPositions(path);
  // The same field counts once, wherever the record is.
  if (isInData(path)) {
    const field = place.split('.').at(-1);
    const rule = /^["[{\d-]|^(true|false|null)$/.test(expected)
      ? 'a value'
      : expected.split(':', 1)[0];
    return JSON.stringify([field, assumptions, rule, typeOf(seen)]);
  }
  if (expected === UNKNOWN_FIELD) return JSON.stringify([place, assumptions, expected]);
  const isAcceptance = path === '$.success';
  const isFields = path === '$.data.error' || path === '$.errors';
  const words = isFields
    ? [typeOf(seen)]
    : isAcceptance
      ? [expected]
      : [expected, typeof seen === 'object' ? typeOf(seen) : seen];
  return JSON.stringify([place.replace('$.response_message', '$.message'), assumptions, ...words]);
}

/**
 * Each difference once, with all its places, in the order of the first sighting.
 *
 * @param reasonOf the common cause of a finding that shows in many places; undefined if there is none
 */
export function foldFindings(
  findings: readonly Located[],
  reasonOf: (finding: Located) => string | undefined = () => undefined,
): Difference[] {
  const kinds = new Map<string, Located[]>();
  for (const finding of findings) {
    const kind = reasonOf(finding) ?? kindOf(finding);
    const known = kinds.get(kind);
    if (known) known.push(finding);
    else kinds.set(kind, [finding]);
  }
  return [...kinds.values()].map((all) => {
    const [{ path, expected, seen, assumptions, operation, scenario, shows }] = all as [Located];
    const example = { operation, scenario, shows };
    return { path, expected, seen, assumptions, example, places: placesOf(all) };
  });
}

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
