import { expect, test } from 'vitest';
import { control, controlRoutes } from '../support/control.ts';
import { buy } from '../support/requests.ts';
import { adminCall, mint, remoteClient } from './support/clients.ts';
import { ownEngine } from './support/engine.ts';

const MERCHANTS = 120;

test('more merchants than a page holds are listed and reset by the page', async () => {
  const engine = await ownEngine();
  for (let number = 0; number < MERCHANTS; number++) await mint(engine);
  const list = async (page?: number) => {
    const query = page === undefined ? {} : { query: { page } };
    return (await adminCall(engine, 'listMerchants', query)).body.data as {
      id: number;
      api_key: string;
      counts: { motor: number };
    }[];
  };
  const pages = [await list(1), await list(2), await list(3)];
  expect(pages.map(({ length }) => length)).toEqual([100, 20, 0]);
  expect(await list()).toEqual(pages[0]);
  const ids = pages.flat().map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: MERCHANTS }, (_, place) => place + 3));

  const ends = [pages[0]?.[0], pages[1]?.[19]];
  for (const end of ends) {
    await buy(remoteClient(engine, end?.id ?? 0, end?.api_key ?? ''), 'motor');
  }
  const sold = async () =>
    [(await list(1))[0], (await list(2))[19]].map((each) => each?.counts.motor);
  const refused = await adminCall(engine, 'resetAll');
  expect(refused.status).toBe(422);
  expect(refused.body.detail).toBe(
    'page: 120 merchants are too many to reset at once; reset 100 at a time, from ?page=1 to ?page=2.',
  );
  expect(await sold()).toEqual([1, 1]);
  const reset = await adminCall(engine, 'resetAll', { query: { page: 1 } });
  expect(reset.body.data).toHaveLength(100);
  expect(await sold()).toEqual([0, 1]);
  await adminCall(engine, 'resetAll', { query: { page: 2 } });
  expect(await sold()).toEqual([0, 0]);
});

test('without an admin token nobody may make a call over the sandbox, and everything else is there', async () => {
  const engine = await ownEngine({ SANDBOX_ADMIN_TOKEN: '', SANDBOX_AUTO_MERCHANTS: '1' });
  for (const { operationId } of controlRoutes.filter(({ over }) => over === 'sandbox')) {
    for (const init of [{}, { key: '' }, { key: 'guess' }]) {
      const { status, body } = await control(engine, operationId, { id: 1, ...init });
      expect(status, operationId).toBe(403);
      expect(body.detail).toContain('SANDBOX_ADMIN_TOKEN');
    }
  }
  await buy(remoteClient(engine, 0, 'my-own-key'), 'motor');
});

test('keys can not be guessed from those of another deployment, unless a seed is asked for', async () => {
  const keys = async (seed: string) => {
    const engine = await ownEngine({ SANDBOX_SEED: seed });
    return [(await mint(engine)).apiKey, (await mint(engine)).apiKey];
  };
  expect(await keys('7')).toEqual(await keys('7'));
  expect(new Set([...(await keys('')), ...(await keys(''))]).size).toBe(4);
});
