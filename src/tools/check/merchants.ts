/* The merchants of a check, and what it does to them through the control plane of a sandbox. */

import type { Operation } from '../../api/operation.ts';
import { Clock } from '../../control/clock.ts';
import { ControlCallError, type ControlClient } from '../../kit/control-client.ts';
import type { ReceivedResponse } from '../../kit/receive.ts';
import type { OperationId } from '../../public.ts';
import { valueAt } from '../../scenarios/json.ts';
import { parseUrl } from '../../world/platform.ts';
import type { Instant } from '../../world/time.ts';

/** Start of a new merchant's clock: the last day of January in a leap year, and a fraction of a second. */
const STARTS_AT = '2024-01-31T10:00:00.750Z';
const NAME = 'Sandbox Check';

/** A merchant whose key the check uses. */
export interface CheckedMerchant {
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

/** The control plane of the server, called with a key. */
export type ControlWith = (key: string) => ControlClient;

/** The answer to a call; undefined if it was refused or no sandbox answered. */
async function attempt<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ControlCallError) return undefined;
    throw error;
  }
}

/** The clock of a merchant; undefined without a control plane. */
const readClock = (control: ControlWith, key: string) =>
  attempt(control(key)('GET /_sandbox/clock', { answer: Clock }));

/**
 * Whether a server is certainly a sandbox: it has a clock, and its journal has an entry for the request whose id it
 * returned. Until then the check only reads from the control plane, because another service may return JSON for any path.
 */
export async function isSandbox(
  control: ControlWith,
  key: string,
  { operationId, method, path }: Operation,
  { headers, status }: ReceivedResponse,
): Promise<boolean> {
  const id = headers.get('sandbox-request-id');
  if (!id || (await readClock(control, key)) === undefined) return false;
  const query = { operation: operationId as OperationId, limit: 100 };
  const journal = await attempt(control(key)('GET /_sandbox/journal', { query }));
  const entries = valueAt(journal, 'data');
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
export async function readTarget(control: ControlWith, key: string): Promise<string | undefined> {
  const journal = await attempt(control(key)('GET /_sandbox/journal'));
  const target = valueAt(journal, 'target');
  return typeof target === 'string' && parseUrl(target) ? target : undefined;
}

const nothing = async (): Promise<void> => undefined;

/** The merchant of a given key, on a server whose clock cannot be moved. */
export const givenMerchant = (key: string): CheckedMerchant => ({
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
  control: ControlWith,
  key: string,
  known: (key: string) => void,
): Promise<CheckedMerchant | undefined> {
  const start = { name: NAME, now: STARTS_AT, mode: 'frozen' } as const;
  const created = await attempt(control(key)('POST /_sandbox/merchants', { body: start }));
  if (created === undefined) return undefined;
  const params = { id: String(created.id) };
  known(created.api_key);
  let keys: readonly string[] = [created.api_key];
  const merchant: CheckedMerchant = {
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
      const rotated = await attempt(
        control(key)('POST /_sandbox/merchants/{id}/rotate_key', { params }),
      );
      if (rotated === undefined) return;
      known(rotated.api_key);
      keys = [rotated.api_key, merchant.key];
    },
    done: nothing,
    async reset() {
      keys = [merchant.key];
      await attempt(control(merchant.key)('POST /_sandbox/reset'));
    },
    async release() {
      await attempt(control(key)('DELETE /_sandbox/merchants/{id}', { params }));
    },
  };
  return merchant;
}

/** The merchant of a given key in a sandbox. Its clock is frozen until `done`. */
export async function holdMerchant(control: ControlWith, key: string): Promise<CheckedMerchant> {
  const setMode = (mode: 'running' | 'frozen') =>
    attempt(control(key)('PUT /_sandbox/clock', { body: { mode } }));
  const before = await readClock(control, key);
  const held = await setMode('frozen');
  return {
    ...givenMerchant(key),
    startsAt: held && Date.parse(held.now),
    advance: (ms) => advanceClock(control, key, ms),
    async done() {
      await setMode(before?.mode ?? 'running');
    },
  };
}

async function advanceClock(control: ControlWith, key: string, ms: number): Promise<void> {
  const from = await readClock(control, key);
  if (from === undefined) return;
  const to = new Date(Date.parse(from.now) + ms).toISOString();
  await attempt(control(key)('POST /_sandbox/clock/advance', { body: { to } }));
}
