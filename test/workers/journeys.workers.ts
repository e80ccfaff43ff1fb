import { journeys } from '../journeys/index.ts';
import { mint } from './support/clients.ts';
import { startEngine } from './support/engine.ts';

const engine = await startEngine();

journeys({
  createClient: (options) => mint(engine, options),
  createDemoClient: (options) => mint(engine, { records: 'demo', ...options }),
});
