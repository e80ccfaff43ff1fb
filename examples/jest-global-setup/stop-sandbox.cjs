module.exports = () => globalThis.sandboxServer.close();
