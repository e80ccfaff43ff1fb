import { afterEach, expect, test, vi } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { findEntry } from '../../src/ui/layout/client/lost-call.ts';

afterEach(() => void vi.unstubAllGlobals());

const PATH = '/api/merchant/micro_health/verify';

test('a call without a response is found as the newest lost one that the page did not know', async () => {
  const sandbox = createSandbox();
  const { apiKey: key, fetch, faults, journal } = sandbox.createMerchant();
  vi.stubGlobal('fetch', sandbox.fetch);
  vi.stubGlobal('location', { origin: 'http://sandbox' });
  const made = { method: 'POST', path: PATH, key };
  const verify = () =>
    fetch(PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"token":"x"}',
    }).catch(() => undefined);
  await verify();
  expect(await findEntry(made, undefined), 'every response arrived').toBeUndefined();

  faults.add({ stage: 'after', effect: { kind: 'drop' }, times: 2 });
  await verify();
  const [first] = journal.list();
  expect(await findEntry(made, undefined)).toMatchObject({ id: first?.id });
  await verify();
  await verify();
  const [, second] = journal.list();
  const known = new Set([first?.id as string]);
  expect(await findEntry(made, undefined, known)).toMatchObject({ id: second?.id });
  expect(
    await findEntry(made, undefined, new Set([...known, second?.id as string])),
  ).toBeUndefined();
  expect(await findEntry(made, first?.id)).toMatchObject({ id: first?.id });
});
