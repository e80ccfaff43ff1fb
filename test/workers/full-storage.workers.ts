import { expect, test } from 'vitest';
import { BASE, operationOf, requestOf } from '../support/client.ts';
import { checkProblem } from '../support/control.ts';
import {
  buy,
  familyKeys,
  initiate,
  initiateOf,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';
import { withoutCalls } from '../support/snapshots.ts';
import { adminCall, mint, type RemoteClient } from './support/clients.ts';
import { startEngine } from './support/engine.ts';

/** The Worker, with objects whose storage fails after a given number of writes. */
const PROGRAM = `
import worker, { MerchantsObject as RealMerchants, WorldObject as RealWorld } from './worker.js';

let room = Infinity;

const limited = (Real) =>
  class extends Real {
    constructor(ctx, env) {
      const { sql } = ctx.storage;
      const exec = sql.exec.bind(sql);
      sql.exec = (query, ...values) => {
        if (/^(CREATE|INSERT|DELETE)/.test(query) && --room < 0) throw new Error('database or disk is full');
        return exec(query, ...values);
      };
      super(ctx, env);
    }
  };
export const MerchantsObject = limited(RealMerchants);
export const WorldObject = limited(RealWorld);

export default {
  fetch(request, env, lifetime) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/room') return worker.fetch(request, env, lifetime);
    room = Number(searchParams.get('writes'));
    return new Response();
  },
};
`;

const engine = await startEngine({ SANDBOX_AUTO_MERCHANTS: '1' }, PROGRAM);
const setRoom = (writes: number) => engine.fetch(new Request(`${BASE}/room?writes=${writes}`));

const WHY = 'The change could not be saved, so it was not made: database or disk is full';

/** A World without its journal, assumptions and request number, which every request changes. */
const worldOf = async ({ control }: RemoteClient) =>
  withoutCalls((await control('getSnapshot')).body.world);

test('a change that cannot be saved returns 507 and has no effect', async () => {
  const client = await mint(engine);
  for (const family of familyKeys) await buy(client, family);
  const token = await initiate(client, 'motor');
  const snapshot = await client.merchant.snapshot();
  const before = await worldOf(client);

  // The first write of some requests succeeds, and is rolled back.
  for (const writes of [0, 1]) {
    for (const family of familyKeys) {
      await setRoom(writes);
      const { status, body } = await client.call(initiateOf[family], purchaseOf(family));
      expect([status, body.data.error]).toEqual([507, [WHY]]);
    }
    await setRoom(writes);
    expect((await client.call(verifyOf.motor, { token })).status).toBe(507);
  }
  await setRoom(0);
  const effect = { kind: 'respond', status: 503 };
  for (const answer of [
    await client.control('setClock', { body: { mode: 'running' } }),
    await client.control('advanceClock', { body: { by: 'P1D' } }),
    await client.control('addFault', { body: { stage: 'before', effect } }),
    await client.control('resetWorld'),
    await client.control('putSnapshot', { body: snapshot }),
    await adminCall(engine, 'rotateKey', { id: client.merchant.id }),
  ]) {
    checkProblem(answer);
    expect([answer.status, answer.body.detail]).toEqual([507, expect.stringContaining(WHY)]);
  }

  expect(await worldOf(client)).toEqual(before);
  // A fault does not hide it, and is not used up.
  await setRoom(100);
  await client.control('addFault', { body: { stage: 'after', effect } });
  await setRoom(1);
  expect((await client.call(verifyOf.motor, { token })).status).toBe(507);
  await setRoom(100);
  expect((await client.control('listFaults')).body.data).toMatchObject([{ times: 1 }]);
  expect((await client.control('clearFaults')).status).toBe(204);
  const { sequences } = await worldOf(client);
  before.sequences = sequences;

  // A new process can write again.
  await engine.restart();
  expect(await worldOf(client)).toEqual(before);
  expect((await client.call(verifyOf.motor, { token })).status).toBe(200);
});

test('a World that cannot be opened returns 507 in the envelope of the call, until there is space', async () => {
  const key = 'sk_of_nobody_yet';
  const list = () => engine.fetch(requestOf(operationOf('listMotorPolicies'), BASE, key, {}));
  // Neither the list of merchants nor the World can be written, then only the World.
  for (const writes of [0, 1, 2]) {
    await setRoom(writes);
    const response = await list();
    expect(response.headers.get('content-type')).toBe('application/json');
    expect([response.status, await response.json()]).toEqual([
      507,
      expect.objectContaining({ success: false, data: { error: [WHY] } }),
    ]);
  }
  const control = await engine.fetch(
    new Request(`${BASE}/_sandbox/clock`, { headers: { authorization: `Bearer ${key}` } }),
  );
  expect([control.status, control.headers.get('content-type')]).toEqual([
    507,
    'application/problem+json',
  ]);
  await setRoom(100);
  expect((await list()).status).toBe(200);
});
