import { serve } from '@hono/node-server';
import { createBareHono } from '../bare-hono.ts';
import { serveParent } from './child.ts';

serveParent(
  ({ samples }) =>
    new Promise((resolve) => {
      const { fetch } = createBareHono(samples);
      serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port));
    }),
);
