import { openStandardOutput } from '../../src/node/output.ts';
import { startServer } from '../../src/tools/serve.ts';
import { serveParent } from './child.ts';

// The same settings as the command.
serveParent(async ({ log }) => {
  const { output } = openStandardOutput();
  const own = {
    warn: console.error,
    log: log ? { mode: 'calls' as const, output, colours: false } : undefined,
  };
  return (await startServer({ port: 0 }, own)).port;
});
