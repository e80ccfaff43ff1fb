/* Why a token was refused, in what the merchant cannot know: which call used it and what it bought, or when it expired. */

import { durationWords } from './duration.ts';
import { isLost } from './faults.ts';
import { entriesOf, type Journal } from './journal.ts';
import type { Tables } from './tables.ts';
import { day, type Instant } from './time.ts';
import type { ExpiredTokens, StoredPurchase } from './tokens.ts';

/** The part of a World that knows its tokens. */
interface TokenWorld {
  readonly tables: Tables;
  readonly expired_tokens: ExpiredTokens;
  readonly journal: Journal;
}

/**
 * What the World knows of a token that was refused: `used by req-3-4, whose response was lost; policy 8058167780
 * exists`, or `expired at 10:15:00, 12 s before`. Null if it never issued the token.
 *
 * @param isUnknown whether the operation does not know it, because it is a token of another family
 * @param now when it was refused
 */
export function causeOf(
  world: TokenWorld,
  token: unknown,
  isUnknown: boolean,
  now: Instant,
): string | null {
  if (typeof token !== 'string') return null;
  for (const [name, table] of world.tables.byName) {
    const [owner = '', kind] = name.split('.');
    if (kind !== 'used' && kind !== 'pending') continue;
    const row = table.get(token);
    if (row === undefined) continue;
    const cause =
      kind === 'used'
        ? usedText(world, name, token, row)
        : `pending since ${clockText((row as Pending).initiated_at)}`;
    return isUnknown ? `a token of ${owner}, ${cause}` : cause;
  }
  const expired = world.expired_tokens.get(token);
  if (!expired) return null;
  const cause = `expired at ${momentIn(expired.at, now)}, ${durationWords(now - expired.at)} before`;
  return isUnknown ? `a token of ${expired.family}, ${cause}` : cause;
}

type Pending = StoredPurchase<unknown>;

function usedText({ journal }: TokenWorld, table: string, token: string, policy: unknown): string {
  const user = entriesOf(journal).find(({ changes }) =>
    changes.some((row) => row.table === table && row.key === token && row.change === 'added'),
  );
  const by = user ? `used by ${user.id}` : 'used by a call that the journal no longer has';
  return `${by}${user && isLost(user) ? ', whose response was lost' : ''}; policy ${policy} exists`;
}

const clockText = (at: Instant): string => new Date(at).toISOString().slice(11, 19);

/** The time of day, with the day if it is another one. */
function momentIn(at: Instant, now: Instant): string {
  return day(at) === day(now) ? clockText(at) : `${day(at)} ${clockText(at)}`;
}
