/* Recognizes a sandbox, or a proxy, at a URL, and creates the merchants of a check there. */

import {
  ControlCallError,
  type ControlClient,
  createControlClient,
} from '../../connect/control-client.ts';
import type { Send } from '../../connect/receive.ts';
import { parseUrl } from '../../world/platform.ts';
import type { Instant } from '../../world/time.ts';
import { type Answer, valueAt } from './call.ts';

/** Start of a new merchant's clock: the last day of January in a leap year, and a fraction of a second. */
const STARTS_AT = '2024-01-31T10:00:00.750Z';
const NAME = 'Sandbox Check';

/** The answer to a control call; undefined if it was refused or no sandbox answered. */
async function attempt<Answered>(call: Promise<Answered>): Promise<Answered | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ControlCallError) return undefined;
    throw error;
  }
}

/** The control plane of a sandbox, called with a key. */
export type ControlWith = (key: string) => ControlClient;

export const controlOf =
  (url: string, send: Send): ControlWith =>
  (token) =>
    createControlClient({ url, send, token });

/**
 * Whether a server is certainly a sandbox: its journal has an entry for the answer. Until then the
 * check only reads from the control plane, because another service may return JSON for any path.
 */
export function isSandbox(journal: unknown, { headers }: Answer): boolean {
  const id = headers.get('sandbox-request-id');
  const entries = valueAt(journal, 'data');
  return (
    id !== null && Array.isArray(entries) && entries.some((entry) => valueAt(entry, 'id') === id)
  );
}

/** The journal of a sandbox, or of a proxy of this program; undefined if there is none. */
export const journalOf = (control: ControlWith, key: string): Promise<unknown> =>
  attempt(control(key)('GET /_sandbox/journal', { query: { limit: 100 } }));

/** The service behind the server, if the server is a proxy of this program. */
export function targetOf(journal: unknown): string | undefined {
  const target = valueAt(journal, 'target');
  return typeof target === 'string' && parseUrl(target) ? target : undefined;
}

/** By family, the first product that a sandbox sells. */
export async function soldProducts(
  control: ControlWith,
  key: string,
): Promise<Readonly<Record<string, number>>> {
  const answer = await attempt(control(key)('GET /_sandbox/products'));
  const products = (answer?.data ?? []).filter(({ enabled }) => enabled);
  return Object.fromEntries(products.toReversed().map(({ family, id }) => [family, id]));
}

/** A merchant that the check created, with a frozen clock. */
export interface CreatedMerchant {
  readonly key: string;
  readonly startsAt: Instant;
  moveClock(to: Instant): Promise<void>;
  /** Replaces the key; the old one stays the one in `key`. */
  rotateKey(): Promise<string | undefined>;
  release(): Promise<void>;
}

/** Creates a merchant; undefined if that is not allowed. */
export async function createMerchant(
  control: ControlWith,
  key: string,
): Promise<CreatedMerchant | undefined> {
  const start = { name: NAME, now: STARTS_AT, mode: 'frozen' } as const;
  const created = await attempt(control(key)('POST /_sandbox/merchants', { body: start }));
  if (!created) return undefined;
  const params = { id: String(created.id) };
  const own = created.api_key;
  return {
    key: own,
    startsAt: Date.parse(STARTS_AT),
    async moveClock(to) {
      const body = { to: new Date(to).toISOString() };
      await attempt(control(own)('POST /_sandbox/clock/advance', { body }));
    },
    async rotateKey() {
      const route = 'POST /_sandbox/merchants/{id}/rotate_key';
      return (await attempt(control(key)(route, { params })))?.api_key;
    },
    async release() {
      await attempt(control(key)('DELETE /_sandbox/merchants/{id}', { params }));
    },
  };
}
