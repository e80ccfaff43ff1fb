const { createShop } = require('../shop.cjs');

const url = process.env.SANDBOX_URL;
/** A key that the sandbox has not seen opens a World of its own: one for each worker, without a call to mint it. */
const apiKey = `sk_worker_${process.env.JEST_WORKER_ID}`;

/** A call of the control plane, over the World of this worker. */
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
