import { expect, test } from 'vitest';
import { sharedApp } from '../../src/app.ts';
import { controlApp } from '../../src/control/app.ts';
import { DEFAULT_SETTINGS } from '../../src/products/world.ts';
import { createDemoClient } from '../support/client.ts';

test('Hono finds a route by one regular expression, not by walking a tree', async () => {
  const { sandbox, merchant } = createDemoClient();
  const headers = { authorization: `Bearer ${merchant.apiKey}` };
  const paths = ['/_sandbox/clock', '/_sandbox/journal/all'];
  for (const path of paths) expect((await sandbox.fetch(path, { headers })).ok).toBe(true);
  const apps = [sharedApp(DEFAULT_SETTINGS), ...paths.map((path) => controlApp(path))];
  const names = apps.map((app) => Reflect.get(app, 'router').name);
  expect(names).toEqual(apps.map(() => 'SmartRouter + RegExpRouter'));
});
