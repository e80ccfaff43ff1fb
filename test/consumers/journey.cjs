/*
 * The journey for every test runner: buys a policy in process and over a socket, advances the clock,
 * loads the lazy parts, and catches a refusal by its class. The runner's test passes the package in.
 * The examples are copied next to this file.
 */
const assert = require('node:assert/strict');
const { sampleRequests } = require('micro-insurance-sandbox');
const { createShop } = require('./examples/jest/shop.cjs');

const ADA = sampleRequests.initiateMicroHealthSubscription;

const OPTIONS = { now: '2026-01-31T10:00:00Z', clock: 'frozen' };
/** Paths that are loaded on demand. */
const LATE = [
  ...['/', '/docs', '/docs/control', '/docs/assumptions', '/docs/assets/scalar.js'],
  ...['/_sandbox', '/_sandbox/assets/inspector.js', '/_sandbox/openapi.json'],
  ...['/openapi.json', '/openapi-3.0.json'],
];

exports.inProcess = async ({ createSandbox, ControlError }) => {
  const sandbox = createSandbox(OPTIONS);
  await sellAndMove({ sandbox, url: 'http://sandbox', fetch: sandbox.fetch }, ControlError);
};

exports.overASocket = async ({ startSandbox, ControlError }) => {
  const server = await startSandbox({ ...OPTIONS, port: 0 });
  try {
    const { sandbox, url } = server;
    await sellAndMove({ sandbox, url, fetch: globalThis.fetch }, ControlError);
  } finally {
    await server.close();
  }
};

async function sellAndMove({ sandbox, url, fetch }, ControlError) {
  const merchant = sandbox.createMerchant();
  const shop = createShop({ baseUrl: url, apiKey: merchant.apiKey, fetch });
  assert.match(await shop.sell(ADA), /^\d{10}$/);

  const token = await shop.reserve(ADA);
  merchant.clock.advance('PT15M');
  await assert.rejects(shop.pay(token), /Token has expired/);
  assert.equal(merchant.show().counts.micro_health, 1);

  for (const path of LATE) {
    const response = await fetch(new Request(`${url}${path}`, { headers: { accept: '*/*' } }));
    assert.equal(response.status, 200, path);
    assert.ok(await response.text(), path);
  }

  assert.throws(() => sandbox.merchant('sk_nobody'), ControlError);
}
