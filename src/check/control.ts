import { CONTROL_PATH } from '../control/api.ts';
import type { Send } from './connection.ts';
import { NoReply, type Reply } from './connection.ts';
import type { Json } from './probe.ts';

/** Where a minted World's clock stands: the end of a January before a 29th of February, and a fraction of a second. */
const MINTED_AT = '2024-01-31T10:00:00.750Z';
const NAME = 'Sandbox Check';

/** The control plane of a sandbox, as one key may use it. */
export interface Control {
  readonly key: string;
  /** The id of a merchant that the check made; undefined if the key is the user's own. */
  readonly merchantId: number | undefined;
}

export type Ask = (method: string, path: string, key: string, body?: unknown) => Promise<Json>;

/** Calls of the control plane; undefined where it is not there or refuses. */
export const createAsk =
  (send: Send, base: string): Ask =>
  async (method, path, key, body) => {
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const request = new Request(`${base}${CONTROL_PATH}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    let reply: Reply;
    try {
      reply = await send(request);
    } catch (error) {
      if (error instanceof NoReply) return undefined;
      throw error;
    }
    return reply.status < 300 ? (reply.body ?? {}) : undefined;
  };

/** The moment the clock of a key shows, in milliseconds; undefined without a control plane. */
export async function readMoment(ask: Ask, key: string): Promise<number | undefined> {
  const clock = await ask('GET', '/clock', key);
  const now = typeof clock?.mode === 'string' ? Date.parse(clock.now) : Number.NaN;
  return Number.isNaN(now) ? undefined : now;
}

/** A merchant whose clock the check may move: a new one, or where none may be made, that of the key. */
export async function openSecond(ask: Ask, key: string): Promise<Control> {
  const made = await ask('POST', '/merchants', key, { name: NAME, now: MINTED_AT, mode: 'frozen' });
  if (typeof made?.api_key === 'string') return { key: made.api_key, merchantId: made.id };
  return { key, merchantId: undefined };
}

/** Stops the second clock for as long as it is moved; answers how to leave it as it was found. */
export async function stopClock(
  ask: Ask,
  { key, merchantId }: Control,
): Promise<() => Promise<void>> {
  if (merchantId !== undefined) {
    return async () => {
      await ask('DELETE', `/merchants/${merchantId}`, key);
    };
  }
  const before = await ask('GET', '/clock', key);
  await ask('PUT', '/clock', key, { mode: 'frozen' });
  return async () => {
    await ask('PUT', '/clock', key, { mode: before?.mode ?? 'running' });
  };
}

/** Lets that much time pass, exactly; answers whether it did. */
export async function letPass(ask: Ask, { key }: Control, ms: number): Promise<boolean> {
  const from = await readMoment(ask, key);
  if (from === undefined) return false;
  const to = new Date(from + ms).toISOString();
  return (await ask('POST', '/clock/advance', key, { to })) !== undefined;
}

/** Gives the second merchant a new key. */
export async function rotate(ask: Ask, { key, merchantId }: Control): Promise<Control | undefined> {
  const made = await ask('POST', `/merchants/${merchantId}/rotate_key`, key);
  return typeof made?.api_key === 'string' ? { key: made.api_key, merchantId } : undefined;
}
