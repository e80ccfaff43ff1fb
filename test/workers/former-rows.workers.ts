import { expect, test } from 'vitest';
import { buy, familyKeys, initiate, verifyOf } from '../support/requests.ts';
import { withoutCalls } from '../support/snapshots.ts';
import { mint, rest, twinOf } from './support/clients.ts';
import { startEngine } from './support/engine.ts';

/** The Worker, with objects that find their rows as the former format named them. */
const PROGRAM = `
import worker, { MerchantsObject as RealMerchants, WorldObject as RealWorld } from './worker.js';

const isStored = ({ sql }) =>
  [...sql.exec("SELECT name FROM sqlite_master WHERE name = 'rows'")].length > 0;

export class WorldObject extends RealWorld {
  constructor(ctx, env) {
    const { sql } = ctx.storage;
    if (isStored(ctx.storage)) {
      sql.exec("UPDATE rows SET key = ? WHERE key = ?", '"chance"', '"random"');
      sql.exec("UPDATE rows SET key = ? WHERE key = ?", '"fault_chance"', '"fault_random"');
      sql.exec("UPDATE rows SET name = 'world' WHERE name = 'values'");
    }
    super(ctx, env);
  }
}

export class MerchantsObject extends RealMerchants {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const { random, ...numbering } = (await ctx.storage.get('numbering')) ?? {};
      if (random) await ctx.storage.put('numbering', { ...numbering, chance: random });
    });
  }
}

export default worker;
`;

const engine = await startEngine({}, PROGRAM);

test('a World whose rows have the names of the former format goes on', async () => {
  const client = await mint(engine);
  const twin = twinOf(client);
  for (const each of [client, twin]) for (const family of familyKeys) await buy(each, family);
  const token = await initiate(client, 'motor');
  expect(await initiate(twin, 'motor')).toBe(token);
  const saved = async () => withoutCalls((await client.control('getSnapshot')).body.world);
  const before = await saved();
  await rest(client);

  await engine.restart();
  expect(await saved()).toEqual(before);
  for (const each of [client, twin]) {
    expect((await each.call(verifyOf.motor, { token })).status).toBe(200);
  }
  expect(await buy(client, 'motor')).toEqual(await buy(twin, 'motor'));
  expect((await mint(engine)).apiKey).not.toBe(client.apiKey);
});
