import { startServer } from '../../src/node/serve.ts';
import { serveParent } from './child.ts';

// As the command serves.
serveParent(async () => (await startServer({ port: 0 }, { overrideGlobalObjects: true })).port);
