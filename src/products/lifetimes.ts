/* How long purchase tokens live, for sentences and examples that are about every family. */

import { minutesText } from '../world/time.ts';
import { families } from './index.ts';

/** The minutes after which a token of any family has expired. */
export const LONGEST_LIFETIME = Math.max(
  ...families.map(({ tokenRules }) => tokenRules.lifetimeMinutes),
);

/** `15 minutes`, or `15 minutes (Comprehensive motor) or 20 minutes (Group life)` if the families differ. */
export function tokenLifetimes(form: (minutes: number) => string = minutesText): string {
  const tags = new Map<number, string[]>();
  for (const { tag, tokenRules } of families) {
    const { lifetimeMinutes: minutes } = tokenRules;
    tags.set(minutes, [...(tags.get(minutes) ?? []), tag]);
  }
  if (tags.size === 1) return form(LONGEST_LIFETIME);
  return [...tags].map(([minutes, named]) => `${form(minutes)} (${named.join(', ')})`).join(' or ');
}
