import { expect, test } from 'vitest';
import { sharedApp } from '../src/app.ts';
import { DEFAULT_SETTINGS } from '../src/products/world.ts';

test('a page that fails says so in a problem document', async () => {
  const problem = () => {
    throw new Error('no disk answers');
  };
  const bindings = { merchants: { storage: { problem } }, connection: {} };
  const response = await sharedApp(DEFAULT_SETTINGS).request('/readyz', {}, bindings as never);
  expect(response.status).toBe(500);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toMatchObject({
    status: 500,
    detail: 'The sandbox has a defect, please report it: no disk answers',
  });
});
