import { profileOptions } from '../control/profile.ts';
import type { AssumptionId } from '../core/assumptions.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { ProfileOption } from '../core/settings.ts';
import { DEFAULT_SETTINGS } from '../products/world.ts';
import { sameJson } from './assertions.ts';
import type { CountedObservation, Coverage } from './coverage.ts';
import type { Report } from './report.ts';

/** The profile that makes a sandbox take its assumptions as a server was seen to, as far as it can. */
export function observedProfile({
  differed,
  observed,
}: Coverage): Pick<Report, 'profile' | 'not_in_profile'> {
  const decisions: Record<string, unknown> = {};
  const contradicted = new Set(differed.keys());
  for (const [id, option] of Object.entries(profileOptions) as [AssumptionId, ProfileOption][]) {
    const published = option.read(DEFAULT_SETTINGS);
    const value = profiledValue(id, [...observed.values()], published);
    if (value === undefined || !option.schema().safeParse(value).success) continue;
    if (sameJson(value, published)) continue;
    decisions[id] = value;
    contradicted.delete(id);
  }
  // Where a second verify gets the refusal of another token, it has no status of its own.
  if (typeof decisions['token-used'] === 'string') dropStatus(decisions, 'token_used');
  return { profile: { version: 1, decisions }, not_in_profile: [...contradicted] };
}

function dropStatus(decisions: Record<string, unknown>, code: ErrorCode): void {
  const { [code]: _dropped, ...statuses } = { ...(decisions['http-status'] as object) } as Record<
    string,
    unknown
  >;
  if (Object.keys(statuses).length > 0) decisions['http-status'] = statuses;
  else delete decisions['http-status'];
}

function profiledValue(
  id: AssumptionId,
  observed: readonly CountedObservation[],
  published: unknown,
): unknown {
  const seen = observationsOf(observed, id);
  if (id === 'error-code-type') return codeType(seen);
  return (id === 'token-used' && usedToken(observed)) || valueSeen(seen, published);
}

const observationsOf = (
  observed: readonly CountedObservation[],
  id: AssumptionId,
): CountedObservation[] => observed.filter(({ assumption }) => assumption === id);

/** Which refusal a second verify gets, where its words are those of another. */
function usedToken(observed: readonly CountedObservation[]): string | undefined {
  const { messages } = DEFAULT_SETTINGS;
  const said = (id: AssumptionId) => mostSeen(observationsOf(observed, id), 'message');
  const used = said('token-used');
  if (used === undefined || used === messages.tokenUsed) return undefined;
  if (used === (said('token-expired') ?? messages.tokenExpired)) return 'expired';
  return used === (said('token-unknown') ?? messages.tokenUnknown) ? 'unknown' : undefined;
}

/** The value most often seen; of an object, what was seen under each of its keys and is not published. */
function valueSeen(observed: readonly CountedObservation[], published: unknown): unknown {
  if (typeof published !== 'object' || published === null) return mostSeen(observed);
  const keys = [...new Set(observed.map(({ key }) => key))].filter((key) => key !== undefined);
  const other = keys
    .filter((key) => Object.hasOwn(published, key))
    .map((key) => [key, mostSeen(observed, key)] as const)
    .filter(([key, value]) => value !== undefined && value !== Reflect.get(published, key));
  return other.length === 0 ? undefined : Object.fromEntries(other);
}

/** The value seen most often, the first of those that were seen equally often. */
function mostSeen(observed: readonly CountedObservation[], key?: string): unknown {
  const counts = new Map<unknown, number>();
  for (const { value, times, ...seen } of observed) {
    if (seen.key === key && value !== undefined) {
      counts.set(value, (counts.get(value) ?? 0) + times);
    }
  }
  let most: unknown;
  for (const [value, count] of counts) if (count > (counts.get(most) ?? 0)) most = value;
  return most;
}

/** One type everywhere, where the families are not seen to differ as they are supposed to. */
function codeType(observed: readonly CountedObservation[]): string | undefined {
  const forStrings = mostSeen(observed, 'string');
  const forIntegers = mostSeen(observed, 'integer');
  if (forStrings !== undefined && forIntegers !== undefined && forStrings !== forIntegers) {
    return forStrings === 'string' ? 'by-family' : undefined;
  }
  if (forStrings === 'number') return 'integer';
  return forIntegers === 'string' ? 'string' : 'by-family';
}
