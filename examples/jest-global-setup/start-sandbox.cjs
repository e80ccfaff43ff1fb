const { startSandbox } = require('micro-insurance-sandbox/node');

/** One sandbox for the whole run. Workers start later and inherit the environment. */
module.exports = async () => {
  const server = await startSandbox({ port: 0, autoMerchants: true });
  process.env.SANDBOX_URL = server.url;
  // Jest runs the teardown in the same process.
  globalThis.sandboxServer = server;
};
