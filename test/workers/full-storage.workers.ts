import { expect, test } from 'vitest';
import { BASE } from '../support/client.ts';
import { checkProblem } from '../support/control.ts';
import {
  buy,
  familyKeys,
  initiate,
  initiateOf,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';
import { adminCall, mint, type RemoteClient } from './support/clients.ts';
import { ownEngine } from './support/engine.ts';

/** The Worker, in an engine whose objects of keys can be told to have no more room, after that many writes. */
const PROGRAM = `
import worker, { MerchantsObject, WorldObject as Real } from './worker.js';
export { MerchantsObject };

let room = Infinity;

export class WorldObject extends Real {
  constructor(ctx, env) {
    const { sql } = ctx.storage;
    const exec = sql.exec.bind(sql);
    sql.exec = (query, ...values) => {
      if (/^(INSERT|DELETE)/.test(query) && --room < 0) throw new Error('database or disk is full');
      return exec(query, ...values);
    };
    super(ctx, env);
  }
}

export default {
  fetch(request, env, lifetime) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/room') return worker.fetch(request, env, lifetime);
    room = Number(searchParams.get('writes'));
    return new Response();
  },
};
`;

/** An engine, and how much room it has from now on. */
async function startEngine() {
  const engine = await ownEngine({}, PROGRAM);
  const setRoom = async (writes: number) => {
    await engine.fetch(new Request(`${BASE}/room?writes=${writes}`));
  };
  return { engine, setRoom };
}

const WHY = "The change can't be kept, so it was not made: database or disk is full";

const snapshotOf = async ({ control }: RemoteClient) => {
  const {
    journal: _,
    assumed: __,
    sequences,
    ...world
  } = (await control('getSnapshot')).body.world;
  return { ...world, sequences: { ...sequences, request: 0 } };
};

test('a call that can not be kept is 507 in its own envelope, and nothing of it has happened', async () => {
  const { engine, setRoom } = await startEngine();
  const client = await mint(engine);
  for (const family of familyKeys) await buy(client, family);
  const token = await initiate(client, 'motor');
  const before = await snapshotOf(client);
  // Some of the writes of a call succeed, and are taken back.
  for (const writes of [0, 1]) {
    for (const family of familyKeys) {
      await setRoom(writes);
      const { status, body } = await client.call(initiateOf[family], purchaseOf(family));
      expect([status, body.data.error]).toEqual([507, [WHY]]);
    }
    await setRoom(writes);
    expect((await client.call(verifyOf.motor, { token })).status).toBe(507);
  }
  expect(await snapshotOf(client)).toEqual(before);
  await engine.restart();
  expect(await snapshotOf(client)).toEqual(before);
  expect((await client.call(verifyOf.motor, { token })).status).toBe(200);
});

test('a control call that can not be kept is 507, and nothing of it has happened', async () => {
  const { engine, setRoom } = await startEngine();
  const client = await mint(engine);
  await buy(client, 'motor');
  const snapshot = await client.merchant.snapshot();
  const before = await snapshotOf(client);
  const effect = { kind: 'respond', status: 503 };
  await setRoom(0);
  const refused = [
    await client.control('setClock', { body: { mode: 'running' } }),
    await client.control('advanceClock', { body: { by: 'P1D' } }),
    await client.control('addFault', { body: { stage: 'before', effect } }),
    await client.control('resetWorld'),
    await client.control('putSnapshot', { body: snapshot }),
    await adminCall(engine, 'rotateKey', { id: client.merchant.id }),
  ];
  for (const answer of refused) {
    checkProblem(answer);
    expect([answer.status, answer.body.detail]).toEqual([507, expect.stringContaining(WHY)]);
  }
  await setRoom(Number.POSITIVE_INFINITY);
  expect(await snapshotOf(client)).toEqual(before);
  await engine.restart();
  expect(await snapshotOf(client)).toEqual(before);
});
