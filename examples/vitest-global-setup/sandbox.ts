import { connect } from 'micro-insurance-sandbox';
import { inject } from 'vitest';
import { createShop } from './shop.js';

const url = inject('sandboxUrl');
/** With `--auto-merchants` any new key opens its own World, so each worker has one without further setup. */
const key = `sk_worker_${process.env.VITEST_POOL_ID}`;

export const shop = createShop({ baseUrl: url, apiKey: key });
/** The merchant of this worker: its clock, faults, journal and records. */
export const merchant = await connect({ url, key }).merchant();
