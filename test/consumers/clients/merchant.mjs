/* What every client is tried with: a merchant of a sandbox in this process. The examples are beside it there. */
import { createSandbox } from 'micro-insurance-sandbox';

export { ADA } from '../examples/shop.mjs';

export const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
export const merchant = sandbox.createMerchant();
export const baseUrl = 'http://sandbox/api/merchant/micro_health';
export const headers = { authorization: `Bearer ${merchant.apiKey}` };
/** Well formed, and issued by nobody. */
export const UNKNOWN_TOKEN = 'XXXXXXXXXX';
