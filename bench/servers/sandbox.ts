import { startSandbox } from '../../src/node/index.ts';
import { serveParent } from './child.ts';

serveParent(async () => (await startSandbox({ port: 0 })).port);
