import { inject } from 'vitest';
import { createShop } from '../shop.mjs';

const url = inject('sandboxUrl');
/** With `--auto-merchants` any new key opens its own World, so each worker has one without further setup. */
const apiKey = `sk_worker_${process.env.VITEST_POOL_ID}`;

export const shop = createShop({ baseUrl: url, apiKey });

/** Calls the control plane for the World of this worker. */
export async function control(method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/_sandbox${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
