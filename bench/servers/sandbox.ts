import { startServer } from '../../src/node/serve.ts';
import { serveParent } from './child.ts';

// As the command serves.
serveParent(async () => {
  const own = { overrideGlobalObjects: true, warn: console.error };
  return (await startServer({ port: 0 }, own)).port;
});
