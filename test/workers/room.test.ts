import { describe, expect, test } from 'vitest';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { type RoomLimits, whereRoomIs } from '../../src/workers/room.ts';
import { attachStorage } from '../../src/world/kept-worlds.ts';
import { addMerchant } from '../../src/world/merchants.ts';
import { BASE, callOperation, START } from '../support/client.ts';
import { type ControlInit, control } from '../support/control.ts';
import { buy, exampleOf, familyKeys, initiate, initiateOf, verifyOf } from '../support/requests.ts';

const ROOMY: RoomLimits = { maxPolicies: 1000, maxKeptBytes: 2 ** 20 };
const FULL = /^This World is full: the limits are .* Reset it, or use another key\.$/;

/** A World in storage like that of an object, which can be made full. */
function openStored() {
  const opened = openSandbox({ now: START, clock: 'frozen', seed: 7 }, { cluster: {} });
  const { store } = opened;
  const merchant = addMerchant(store);
  const stored = { bytes: 0, limits: ROOMY };
  attachStorage(store, {
    write(lines) {
      for (const { changes } of whereRoomIs(merchant.world, stored, lines, stored.limits)) {
        stored.bytes += JSON.stringify(changes).length;
      }
    },
    requestSave() {},
    problem: () => undefined,
  });
  const fetcher = { fetch: async (request: Request) => opened.handle(request, {}) };
  const key = merchant.api_key;
  return {
    control: (operationId: string, init: ControlInit = {}) =>
      control(fetcher, operationId, { key, ...init }),
    call: (operationId: string, input: unknown) =>
      callOperation(fetcher.fetch, BASE, key, operationId, input, {}),
    /** Lowers the limits to what the World has. */
    fill(limits: Partial<RoomLimits>) {
      stored.limits = { ...stored.limits, ...limits };
    },
  };
}

describe('a World without room', () => {
  test.each(familyKeys)(
    'initiates nothing in %s, and completes what was initiated',
    async (key) => {
      const { call, control, fill } = openStored();
      const token = await initiate({ call }, key);
      fill({ maxPolicies: 1 });
      const { status, body } = await call(initiateOf[key], exampleOf(initiateOf[key]));
      expect([status, body.response_message]).toEqual([507, expect.stringMatching(FULL)]);
      expect((await control('listPurchases')).body.data).toMatchObject([{ token }]);
      expect((await call(verifyOf[key], { token })).status).toBe(200);
    },
  );

  test('counts the bytes that pending purchases will take', async () => {
    const { call, fill } = openStored();
    const token = await initiate({ call }, 'motor');
    fill({ maxKeptBytes: 4000 });
    const { status } = await call(initiateOf.motor, exampleOf(initiateOf.motor));
    expect(status).toBe(507);
    expect((await call(verifyOf.motor, { token })).status).toBe(200);
  });

  test('refuses renewals and fault rules, and changes nothing', async () => {
    const { call, control, fill } = openStored();
    const { policy_no } = await buy({ call }, 'micro_health');
    const records = () => control('listRecords', { query: { family: 'micro_health' } });
    const before = (await records()).body;
    fill({ maxKeptBytes: 0 });
    const renewal = { ...exampleOf('topUpMicroHealthSubscription'), policy_no };
    const refused = await call('topUpMicroHealthSubscription', renewal);
    expect([refused.status, refused.body.message]).toEqual([507, expect.stringMatching(FULL)]);
    const body = { stage: 'before', effect: { kind: 'respond', status: 503 } };
    const rule = await control('addFault', { body });
    expect([rule.status, rule.body.detail]).toEqual([507, expect.stringMatching(FULL)]);
    expect((await control('listFaults')).body.data).toEqual([]);
    expect((await records()).body).toEqual(before);
  });

  test('uses up fault rules, moves its clock, and can be reset', async () => {
    const { call, control, fill } = openStored();
    const body = { stage: 'before', effect: { kind: 'respond', status: 503 }, times: 2 };
    expect((await control('addFault', { body })).status).toBe(201);
    fill({ maxKeptBytes: 0 });
    const { status } = await call('listMotorPolicies', {});
    expect(status).toBe(503);
    expect((await control('listFaults')).body.data).toMatchObject([{ times: 1 }]);
    expect((await control('advanceClock', { body: { by: 'P1D' } })).status).toBe(200);
    expect((await control('resetWorld')).status).toBe(200);
  });
});
