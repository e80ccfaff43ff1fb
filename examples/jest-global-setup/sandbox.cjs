const { createShop } = require('../shop.cjs');

const url = process.env.SANDBOX_URL;
/** With `--auto-merchants` any new key opens its own World, so each worker has one without further setup. */
const apiKey = `sk_worker_${process.env.JEST_WORKER_ID}`;

/** Calls the control plane for the World of this worker. */
async function control(method, path, body) {
  const response = await fetch(`${url}/_sandbox${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

module.exports = { control, shop: createShop({ baseUrl: url, apiKey }) };
