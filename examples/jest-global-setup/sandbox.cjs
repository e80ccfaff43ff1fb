const { connect } = require('micro-insurance-sandbox');
const { createShop } = require('./shop.cjs');

const url = process.env.SANDBOX_URL;
/** With `--auto-merchants` any new key opens its own World, so each worker has one without further setup. */
const key = `sk_worker_${process.env.JEST_WORKER_ID}`;

module.exports = {
  shop: createShop({ baseUrl: url, apiKey: key }),
  /** Resolves with the merchant of this worker: its clock, faults, journal and records. */
  findMerchant: () => connect({ url, key }).merchant(),
};
