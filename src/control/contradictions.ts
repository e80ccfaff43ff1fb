/* Values of a profile that contradict each other: what a second verify returns, and its status. */

import { PUBLISHED_STATUSES } from '../api/refusals.ts';
import { isPlainObject } from '../world/problem-texts.ts';

type Decisions = Readonly<Record<string, unknown>>;

/** The refusals that a second verify can return in place of its own (`token-used`). */
const INSTEAD: Readonly<Record<string, 'token_expired' | 'token_unknown'>> = {
  expired: 'token_expired',
  unknown: 'token_unknown',
};

/** The values that contradict another one, one line each that names both. */
export function contradictionsIn(decisions: Decisions): string[] {
  const { 'http-status': statuses, 'token-used': used } = decisions;
  if (!isPlainObject(statuses)) return [];
  const families = Object.entries(statuses).filter(([, own]) => isPlainObject(own));
  const places: (readonly [place: string, own: Decisions])[] = [
    ['http-status', statuses],
    ...families.map(([family, own]) => [`http-status.${family}`, own as Decisions] as const),
  ];
  return places.flatMap(([place, own]) => {
    const due = usedStatus(used, { ...statuses, ...own });
    if (due === undefined || own.token_used === undefined || own.token_used === due) return [];
    const value = JSON.stringify(used);
    return [
      `decisions.${place}.token_used: ${own.token_used} contradicts decisions.token-used: ${value}, with which a second verify returns ${due}`,
    ];
  });
}

/** The status that `token-used` gives a second verify. Undefined if the refusal has a status of its own. */
function usedStatus(used: unknown, statuses: Decisions): unknown {
  if (used === 'same-policy') return 200;
  const code = typeof used === 'string' ? INSTEAD[used] : undefined;
  return code && (statuses[code] ?? PUBLISHED_STATUSES[code]);
}

/** The same values without the statuses of a second verify that contradict another value. */
export function withoutContradictions(decisions: Decisions): Decisions {
  if (contradictionsIn(decisions).length === 0) return decisions;
  const { 'http-status': statuses, ...others } = decisions;
  const left = withoutUsed(statuses as Decisions);
  return Object.keys(left).length === 0 ? others : { ...others, 'http-status': left };
}

const withoutUsed = ({ token_used: _, ...statuses }: Decisions): Decisions =>
  Object.fromEntries(
    Object.entries(statuses).map(([code, status]) => [
      code,
      isPlainObject(status) ? withoutUsed(status) : status,
    ]),
  );
