import { CONTROL_PATH } from '../control/app.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../core/time.ts';
import { parseUrl } from '../core/url.ts';
import type { Operation } from '../http/operation.ts';
import { type Json, sameJson, valueAt } from './assertions.ts';
import { NetworkError, type ReceivedResponse, type Send } from './client.ts';

/** Where the clock of a new merchant stands: the end of a January before a 29th of February, and a fraction of a second. */
const SECOND_STARTS_AT = '2024-01-31T10:00:00.750Z';
const NAME = 'Sandbox Check';

/** A merchant whose clock the check may move. */
export interface SecondMerchant {
  readonly key: string;
  /** Its id, where the check made it; undefined if the key is the user's own. */
  readonly merchantId: number | undefined;
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

/** A merchant whose clock the check may move: a new one, or where none may be made, that of the key. */
export async function createSecond(control: CallControl, key: string): Promise<SecondMerchant> {
  const start = { name: NAME, now: SECOND_STARTS_AT, mode: 'frozen' };
  const created = await control('POST', '/merchants', key, start);
  if (typeof created?.api_key !== 'string') return { key, merchantId: undefined };
  return { key: created.api_key, merchantId: created.id };
}

/** Stops the clock of the second merchant; answers how to leave the sandbox as it was found. */
export async function freezeClock(
  control: CallControl,
  { key, merchantId }: SecondMerchant,
): Promise<() => Promise<void>> {
  if (merchantId !== undefined) {
    return async () => {
      await control('DELETE', `/merchants/${merchantId}`, key);
    };
  }
  const before = await control('GET', '/clock', key);
  await control('PUT', '/clock', key, { mode: 'frozen' });
  return async () => {
    await control('PUT', '/clock', key, { mode: before?.mode ?? 'running' });
  };
}

/** Lets that much time pass, exactly; answers whether it did. */
export async function advanceClock(
  control: CallControl,
  { key }: SecondMerchant,
  ms: number,
): Promise<boolean> {
  const from = await readClock(control, key);
  if (from === undefined) return false;
  const to = new Date(from + ms).toISOString();
  return (await control('POST', '/clock/advance', key, { to })) !== undefined;
}

/** How far the clock of the second merchant is from the last minute of its day. */
export async function msToDayEnd(control: CallControl, { key }: SecondMerchant): Promise<number> {
  const now = (await readClock(control, key)) ?? 0;
  const [toLastMinute, day] = [DAY_MS - MINUTE_MS - (now % DAY_MS), DAY_MS];
  return toLastMinute > 0 ? toLastMinute : toLastMinute + day;
}

/** Gives the second merchant a new key. */
export async function rotateKey(
  control: CallControl,
  { key, merchantId }: SecondMerchant,
): Promise<SecondMerchant | undefined> {
  const created = await control('POST', `/merchants/${merchantId}/rotate_key`, key);
  return typeof created?.api_key === 'string' ? { key: created.api_key, merchantId } : undefined;
}
