import { serve } from '@hono/node-server';
import { createBareStack } from '../bare-stack.ts';
import { PATHS, type Samples } from '../calls.ts';
import { serveParent } from './child.ts';

serveParent(
  ({ samples }) =>
    new Promise((resolve) => {
      const { fetch } = createBareStack((path) => sampleOf(samples, path));
      serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port));
    }),
);

function sampleOf(samples: Samples, path: string) {
  const called = Object.entries(PATHS).find(([, prefix]) => path.startsWith(prefix))?.[0];
  const { headers, value } = samples[(called ?? 'quote') as keyof Samples];
  return { headers, body: JSON.stringify(value) };
}
