import type { Operation } from '../api/operation.ts';
import { CONTROL_PATH } from '../control/access.ts';
import { parseUrl } from '../world/platform.ts';
import type { Instant } from '../world/time.ts';
import { NetworkError, type ReceivedResponse, type Send } from './client.ts';
import { type Json, sameJson, valueAt } from './json.ts';

/** Where the clock of a new merchant stands: the end of a January before a 29th of February, and a fraction of a second. */
const STARTS_AT = '2024-01-31T10:00:00.750Z';
const NAME = 'Sandbox Check';

/** A merchant that a check sends requests as. */
export interface Merchant {
  readonly key: string;
  /** The key before the last rotation. */
  readonly oldKey: string | undefined;
  /** Whether the check created it, so that it has nothing but what the check buys. */
  readonly isNew: boolean;
  /** Where its clock stood when the check took it; undefined if the check can't move it. */
  readonly startsAt: Instant | undefined;
  /** Lets that many milliseconds pass. */
  advance(ms: number): Promise<void>;
  rotateKey(): Promise<void>;
  /** Begins anew, where the check created it. */
  reset(): Promise<void>;
  /** Called when a scenario is over: a clock that was held goes on. */
  done(): Promise<void>;
  /** Leaves the sandbox as it was found. */
  release(): Promise<void>;
}

/** A call of the control plane of a sandbox, as one key may make it; undefined where it is not there or refuses. */
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

/** The moment the clock of a key shows; undefined without a control plane. */
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
 * Whether a server is a sandbox, beyond any doubt: it has a clock, and its journal knows the very call that it
 * numbered in an answer before. Nothing that changes something goes to a control plane before that: another
 * service may answer JSON to any path.
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

/** The service that the server stands before, if it is a proxy of this program. */
export async function readTarget(control: CallControl, key: string): Promise<string | undefined> {
  const journal = await control('GET', '/journal', key);
  const target: unknown = valueAt(journal, 'target');
  return typeof target === 'string' && parseUrl(target) ? target : undefined;
}

const nothing = async (): Promise<void> => undefined;

/** The merchant of a key that somebody gave, on a server whose clock is its own. */
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

/** A new merchant of a sandbox, its clock frozen; undefined where none may be created. */
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

/** The merchant of a key that somebody gave to a sandbox, its clock frozen meanwhile. */
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
