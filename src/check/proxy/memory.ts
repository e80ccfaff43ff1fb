import { MINUTE_MS, SECOND_MS } from '../../core/time.ts';
import type { Json } from '../assertions.ts';
import type { SeenPurchase } from '../exchange-rules.ts';

/** How many purchases and policies are remembered, the newest ones. */
const MAX_REMEMBERED = 1000;

/** How long a token is valid, and how much of that the way to the service and back may take. */
const LIFETIME_MS = 15 * MINUTE_MS;
const SLACK_MS = 10 * SECOND_MS;

/** What was seen of a purchase. */
export interface RememberedPurchase extends SeenPurchase {
  /** When its token was answered, by the service's Date; NaN where that is not known. */
  readonly at: number;
  isVerified: boolean;
}

/** How old a token is: `late` and `early` are sure, between them the service may count otherwise. */
export type TokenAge = 'early' | 'late' | 'unknown';

/** What earlier exchanges tell of later ones. `key` names the family and the merchant that a token belongs to. */
export interface ProxyMemory {
  initiated(key: string, token: string, purchase: SeenPurchase, at: number): void;
  find(key: string, token: string): RememberedPurchase | undefined;
  bought(policyNumber: string): void;
  /** In the order they were bought. */
  readonly policies: readonly string[];
  /** Called when something may have changed the service from outside. */
  forget(): void;
}

export function createMemory(): ProxyMemory {
  const purchases = new Map<string, RememberedPurchase>();
  let policies: string[] = [];
  const nameOf = (key: string, token: string) => `${key}\n${token}`;
  return {
    initiated(key, token, purchase, at) {
      const name = nameOf(key, token);
      purchases.delete(name);
      purchases.set(name, { ...purchase, at, isVerified: false });
      if (purchases.size <= MAX_REMEMBERED) return;
      for (const oldest of purchases.keys()) {
        purchases.delete(oldest);
        return;
      }
    },
    find: (key, token) => purchases.get(nameOf(key, token)),
    bought(policyNumber) {
      policies = [...policies.slice(1 - MAX_REMEMBERED), policyNumber];
    },
    get policies() {
      return policies;
    },
    forget() {
      purchases.clear();
      policies = [];
    },
  };
}

/** How old the token of a purchase is at a moment of the service's Date. */
export function ageOf({ at }: RememberedPurchase, now: number): TokenAge {
  const age = now - at;
  if (age > LIFETIME_MS + SLACK_MS) return 'late';
  return age < LIFETIME_MS - SLACK_MS ? 'early' : 'unknown';
}

/** The token that a request or an answer carries. */
export const tokenOf = (fields: Json): string | undefined =>
  typeof fields?.token === 'string' ? fields.token : undefined;
