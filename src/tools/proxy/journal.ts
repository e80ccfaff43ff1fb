/* What a proxy has seen: the newest exchanges, every difference once, and the report. */

import { operations } from '../../products/world.ts';
import { counted } from '../../world/grouped.ts';
import type { Violation } from '../violations.ts';
import { operationOf, pathOf } from './judge.ts';

/** A call that went through the proxy. Holds no value of a customer and no key. */
export interface ProxyEntry {
  /** When the request arrived. */
  readonly at: string;
  /** Null for an unknown path. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** Null without a response. */
  readonly status: number | null;
  readonly duration_ms: number;
  /** Why it was not held against the contract; null if it was. */
  readonly not_judged: string | null;
  readonly differences: readonly Violation[];
}

/** A difference, with the number of calls that showed it. */
interface SeenViolation extends Violation {
  readonly operation: string;
  readonly count: number;
  /** The first call that showed it. */
  readonly call: Pick<ProxyEntry, 'at' | 'method' | 'path'>;
}

/** The report of a proxy. */
interface ProxyReport {
  readonly target: string;
  readonly requests: number;
  readonly not_judged: number;
  /** The first thousand. */
  readonly differences: readonly SeenViolation[];
}

/** The number of entries and of differences that are kept. */
const MAX_KEPT = 1000;

const KNOWN_PARTS = new Set(operations.flatMap(({ path }) => path.split('/')));

/** A path as it is shown: parameters by name, and of unknown paths only the parts that the contract has. */
export const shownPath = (target: string): string =>
  operationOf(target)?.path ??
  pathOf(target).replace(/[^/]+/g, (part) => (KNOWN_PARTS.has(part) ? part : '…'));

export function createJournal(target: string) {
  const entries: ProxyEntry[] = [];
  const differences = new Map<string, SeenViolation>();
  const counts = { requests: 0, not_judged: 0 };
  return {
    add(entry: ProxyEntry): void {
      counts.requests += 1;
      if (entry.not_judged !== null) counts.not_judged += 1;
      entries.push(entry);
      if (entries.length > MAX_KEPT) entries.shift();
      const { operation, at, method, path } = entry;
      for (const difference of entry.differences) {
        const kind = JSON.stringify([operation, difference]);
        if (!differences.has(kind) && differences.size === MAX_KEPT) continue;
        const first = {
          ...difference,
          operation: `${operation}`,
          count: 0,
          call: { at, method, path },
        };
        const seen = differences.get(kind) ?? first;
        differences.set(kind, { ...seen, count: seen.count + 1 });
      }
    },
    /** Newest first. */
    entries: (): ProxyEntry[] => entries.toReversed(),
    report: (): ProxyReport => ({ target, ...counts, differences: [...differences.values()] }),
  };
}

export type ProxyJournal = ReturnType<typeof createJournal>;

/** The report as text. */
export function reportText({ target, requests, not_judged, differences }: ProxyReport): string {
  const found =
    differences.length === 0 ? 'no differences' : counted(differences.length, 'difference');
  const passed = not_judged > 0 ? ` (${not_judged} not compared)` : '';
  const lines = differences.map(
    ({ operation, path, expected, seen, count: calls, call }) => `
✗ ${operation}  ${path}
    expected  ${expected}
    seen      ${seen}, in ${counted(calls, 'call')}, first at ${call.at}
`,
  );
  return `${counted(requests, 'call')} of ${target}${passed}: ${found}.\n${lines.join('')}`;
}
