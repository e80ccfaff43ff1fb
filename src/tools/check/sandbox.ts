/* Recognizes a sandbox, or a proxy, at a URL, and creates the merchants of a check there. */

import { ConnectError } from '../../connect/connect-error.ts';
import type { ControlClient, ControlServer } from '../../connect/control-client.ts';
import { remoteMerchant } from '../../connect/remote-merchant.ts';
import { ControlError } from '../../control/control-error.ts';
import type { RemoteMerchant } from '../../types/public.ts';
import { parseUrl } from '../../world/platform.ts';
import type { Instant } from '../../world/time.ts';
import type { Answer } from './answer.ts';
import { valueAt } from './values.ts';

/** A merchant's clock starts on the last day of January in a leap year, at a fraction of a second. */
const NOW = '2024-01-31T10:00:00.750Z';
export const STARTS_AT: Instant = Date.parse(NOW);
const NEW_MERCHANT = { name: 'Sandbox Check', now: NOW, mode: 'frozen' } as const;

/** The answer to a control call; undefined if it was refused or no sandbox answered. */
export async function attempt<Answered>(call: Promise<Answered>): Promise<Answered | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ControlError || error instanceof ConnectError) return undefined;
    throw error;
  }
}

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
export const journalOf = (control: ControlClient): Promise<unknown> =>
  attempt(control('GET /_sandbox/journal', { query: { limit: 100 } }));

/** The service behind the server, if the server is a proxy of this program. */
export function targetOf(journal: unknown): string | undefined {
  const target = valueAt(journal, 'target');
  return typeof target === 'string' && parseUrl(target) ? target : undefined;
}

/** By family, the first product that a sandbox sells. */
export async function soldProducts(
  control: ControlClient,
): Promise<Readonly<Record<string, number>>> {
  const answer = await attempt(control('GET /_sandbox/products'));
  const products = (answer?.data ?? []).filter(({ enabled }) => enabled);
  return Object.fromEntries(products.toReversed().map(({ family, id }) => [family, id]));
}

/** Creates a merchant with a frozen clock; undefined if that is not allowed. */
export async function createMerchant(
  server: ControlServer,
  admin: ControlClient,
): Promise<RemoteMerchant | undefined> {
  const state = await attempt(admin('POST /_sandbox/merchants', { body: NEW_MERCHANT }));
  return state && remoteMerchant({ server, admin, fetch }, state);
}
