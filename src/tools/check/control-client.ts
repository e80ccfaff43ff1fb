import type { Operation } from '../../api/operation.ts';
import { CONTROL_PATH } from '../../control/access.ts';
import { type Json, sameJson, valueAt } from '../../scenarios/json.ts';
import type { ReceivedResponse } from '../../scenarios/received.ts';
import { parseUrl } from '../../world/platform.ts';
import type { Instant } from '../../world/time.ts';
import { NetworkError, type Send } from './client.ts';

/** Start of a new merchant's clock: the last day of January in a leap year, and a fraction of a second. */
const STARTS_AT = '2024-01-31T10:00:00.750Z';
const NAME = 'Sandbox Check';

/** A merchant whose key the check uses. */
export interface Merchant {
  readonly key: string;
  /** The key before the last rotation. */
  readonly oldKey: string | undefined;
  /** Whether the check created it, so that it has no other records. */
  readonly isNew: boolean;
  /** Its time at the start; undefined if the check cannot move its clock. */
  readonly startsAt: Instant | undefined;
  /** Moves the clock forward by the given milliseconds. */
  advance(ms: number): Promise<void>;
  rotateKey(): Promise<void>;
  /** Resets the merchant, if the check created it. */
  reset(): Promise<void>;
  /** Called after a scenario: restarts a clock that was frozen for it. */
  done(): Promise<void>;
  /** Removes a merchant that the check created. */
  release(): Promise<void>;
}

/** A request to a sandbox's control plane with a key. Returns undefined if it fails or is refused. */
export type CallControl = (
  method: string,
  path: string,
  key: string,
  body?: unknown,
) => Promise<Json>;

export const createControlClient =
  (send: Send, base: string): CallControl =>
  async (method, path, key, body) => {
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const request = new Request(`${base}${CONTROL_PATH}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    let response: ReceivedResponse;
    try {
      response = await send(request);
    } catch (error) {
      if (error instanceof NetworkError) return undefined;
      throw error;
    }
    return response.status < 300 ? (response.body ?? {}) : undefined;
  };

/** The time of a merchant's clock; undefined without a control plane. */
export async function readClock(control: CallControl, key: string): Promise<Instant | undefined> {
  const clock = await control('GET', '/clock', key);
  if (!isClock(clock)) return undefined;
  const now = Date.parse(clock.now);
  return Number.isNaN(now) ? undefined : now;
}

const isClock = (clock: Json): boolean =>
  sameJson(Object.keys(clock ?? {}).toSorted(), ['mode', 'now']) &&
  (clock.mode === 'running' || clock.mode === 'frozen') &&
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(clock.now);

/**
 * Whether a server is certainly a sandbox: it has a clock, and its journal has an entry for the request whose id it
 * returned. Until then the check only reads from the control plane, because another service may return JSON for any path.
 */
export async function isSandbox(
  control: CallControl,
  key: string,
  { operationId, method, path }: Operation,
  { headers, status }: ReceivedResponse,
): Promise<boolean> {
  const id = headers.get('sandbox-request-id');
  if (!id || (await readClock(control, key)) === undefined) return false;
  const journal = await control('GET', `/journal?operation=${operationId}&limit=100`, key);
  const entries: unknown = valueAt(journal, 'data');
  const known = { id, operation: operationId, method: method.toUpperCase(), status };
  return (
    Array.isArray(entries) &&
    entries.some(
      (entry) =>
        Object.entries(known).every(([field, value]) => valueAt(entry, field) === value) &&
        String(valueAt(entry, 'path')).startsWith(path),
    )
  );
}

/** The service behind the server, if the server is a proxy of this program. */
export async function readTarget(control: CallControl, key: string): Promise<string | undefined> {
  const journal = await control('GET', '/journal', key);
  const target: unknown = valueAt(journal, 'target');
  return typeof target === 'string' && parseUrl(target) ? target : undefined;
}

const nothing = async (): Promise<void> => undefined;

/** The merchant of a given key, on a server whose clock cannot be moved. */
export const givenMerchant = (key: string): Merchant => ({
  key,
  oldKey: undefined,
  isNew: false,
  startsAt: undefined,
  advance: nothing,
  rotateKey: nothing,
  reset: nothing,
  done: nothing,
  release: nothing,
});

/** Creates a merchant in a sandbox, with a frozen clock. Returns undefined if that is not allowed. */
export async function createMerchant(
  control: CallControl,
  key: string,
  known: (key: string) => void,
): Promise<Merchant | undefined> {
  const start = { name: NAME, now: STARTS_AT, mode: 'frozen' };
  const created = await control('POST', '/merchants', key, start);
  if (typeof created?.api_key !== 'string') return undefined;
  known(created.api_key);
  let keys: readonly string[] = [created.api_key];
  const merchant: Merchant = {
    get key() {
      return keys[0] as string;
    },
    get oldKey() {
      return keys[1];
    },
    isNew: true,
    startsAt: Date.parse(STARTS_AT),
    advance: (ms) => advanceClock(control, merchant.key, ms),
    async rotateKey() {
      const { api_key } = (await control('POST', `/merchants/${created.id}/rotate_key`, key)) ?? {};
      if (typeof api_key !== 'string') return;
      known(api_key);
      keys = [api_key, merchant.key];
    },
    done: nothing,
    async reset() {
      keys = [merchant.key];
      await control('POST', '/reset', merchant.key);
    },
    async release() {
      await control('DELETE', `/merchants/${created.id}`, key);
    },
  };
  return merchant;
}

/** The merchant of a given key in a sandbox. Its clock is frozen until `done`. */
export async function holdMerchant(control: CallControl, key: string): Promise<Merchant> {
  const before = await control('GET', '/clock', key);
  await control('PUT', '/clock', key, { mode: 'frozen' });
  return {
    ...givenMerchant(key),
    startsAt: await readClock(control, key),
    advance: (ms) => advanceClock(control, key, ms),
    async done() {
      await control('PUT', '/clock', key, { mode: before?.mode ?? 'running' });
    },
  };
}

async function advanceClock(control: CallControl, key: string, ms: number): Promise<void> {
  const from = await readClock(control, key);
  if (from === undefined) return;
  await control('POST', '/clock/advance', key, { to: new Date(from + ms).toISOString() });
}
