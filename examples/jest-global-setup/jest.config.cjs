module.exports = { globalSetup: './start-sandbox.cjs', globalTeardown: './stop-sandbox.cjs' };
