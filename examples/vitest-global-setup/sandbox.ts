import { inject } from 'vitest';
import { createShop } from '../shop.mjs';

const url = inject('sandboxUrl');
/** A key that the sandbox has not seen opens a World of its own: one for each worker, without a call to mint it. */
const apiKey = `sk_worker_${process.env.VITEST_POOL_ID}`;

export const shop = createShop({ baseUrl: url, apiKey });

/** A call of the control plane, over the World of this worker. */
export async function control(method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/_sandbox${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
