import { describe, expect, test } from 'vitest';
import type { Host } from '../../src/control/host.ts';
import { addMerchant } from '../../src/control/merchant-store.ts';
import { createSandbox, type SandboxOptions } from '../../src/index.ts';
import { openSandbox } from '../../src/open-sandbox.ts';
import { BASE, callOperation, START } from '../support/client.ts';
import { control } from '../support/control.ts';
import { buy, exampleOf, familyKeys, initiateOf, verifyOf } from '../support/requests.ts';

/** A part of a hosted sandbox with one merchant, as the object of a key is. */
function openPart(host: Host = {}, options: SandboxOptions = {}) {
  const opened = openSandbox(
    { now: START, clock: 'frozen', seed: 7, ...options },
    { isHosted: true, ...host },
  );
  const fetcher = { fetch: async (request: Request) => opened.handle(request, {}) };
  const { api_key: key } = addMerchant(opened.store);
  return {
    ...opened,
    key,
    control: (operationId: string, init: Parameters<typeof control>[2] = {}) =>
      control(fetcher, operationId, { key, ...init }),
    call: (operationId: string, input: unknown, init = {}) =>
      callOperation(fetcher.fetch, BASE, key, operationId, input, init),
  };
}

describe('a hosted sandbox', () => {
  test('begins without merchants, whoever the fixtures name', () => {
    expect(openSandbox({}, { isHosted: true }).sandbox.merchants()).toEqual([]);
  });

  test('answers nobody a call over all merchants where there is no admin token, however local they look', async () => {
    const { control } = openPart();
    const { status, body } = await control('listMerchants', { headers: { host: 'localhost' } });
    expect(status).toBe(403);
    expect(body.detail).toBe(
      'This sandbox has no admin token, without which nobody may make this call; set the secret SANDBOX_ADMIN_TOKEN.',
    );
  });

  test('answers it whoever has the admin token', async () => {
    const { control } = openPart({}, { adminToken: 'secret' });
    expect((await control('listMerchants', { key: 'secret' })).body.data).toHaveLength(1);
    expect((await control('listMerchants', { key: 'guess' })).status).toBe(401);
  });
});

describe('a sandbox without connections to break', () => {
  const HERE = 'breaks a connection, and where this sandbox runs there is none to break';

  test.each(['drop', 'truncate'])('takes no fault that is a %s, in any form', async (kind) => {
    const { control, call, store } = openPart();
    const rule = { stage: 'after', effect: { kind } };
    const added = await control('addFault', { body: rule });
    expect(added.status).toBe(422);
    expect(added.body.detail).toContain(`effect.kind: ${kind} ${HERE}`);

    const input = exampleOf('initiateMotorPolicy');
    const headers = { 'sandbox-fault': `after; ${kind}` };
    const asked = await call('initiateMotorPolicy', input, { headers });
    expect(asked.status).toBe(400);
    expect(asked.body.response_message).toContain(`${kind} ${HERE}`);

    const elsewhere = createSandbox({ now: START, clock: 'frozen', seed: 7 }).createMerchant();
    elsewhere.faults.add(rule as Parameters<typeof elsewhere.faults.add>[0]);
    const snapshot = await control('putSnapshot', { body: elsewhere.snapshot() });
    expect(snapshot.status).toBe(422);
    expect(snapshot.body.errors).toEqual([
      expect.stringContaining(`world.faults.0.effect.kind: ${kind} ${HERE}`),
    ]);
    const [merchant] = store.byId.values();
    expect(merchant?.world.faults.size).toBe(0);
    expect((await control('listPurchases')).body.data).toEqual([]);
  });

  test.each([
    { kind: 'respond', status: 503 },
    { kind: 'delay', ms: 0 },
    { kind: 'malformed' },
    { kind: 'hang' },
  ])('takes $kind', async (effect) => {
    const { control } = openPart();
    expect((await control('addFault', { body: { stage: 'before', effect } })).status).toBe(201);
  });
});

describe('a World that is full', () => {
  const FULL = 'A World holds at most two policies here.';
  const isFull = { fullReason: () => FULL };

  test.each(familyKeys)(
    'refuses to initiate in %s, in the envelope of the call, and does nothing',
    async (family) => {
      const { call, control } = openPart(isFull);
      const answer = await call(initiateOf[family], exampleOf(initiateOf[family]));
      expect(answer.status).toBe(507);
      expect(answer.body).toMatchObject({ success: false, response_message: FULL });
      expect((await control('listPurchases')).body.data).toEqual([]);
    },
  );

  test.each(familyKeys)('completes in %s what was initiated before', async (family) => {
    let host: Host = {};
    const { call } = openPart({ fullReason: (world, wanted) => host.fullReason?.(world, wanted) });
    const { body } = await call(initiateOf[family], exampleOf(initiateOf[family]));
    host = isFull;
    const token = body.data.token ?? body.data.data?.token;
    expect((await call(verifyOf[family], { token })).status).toBe(200);
  });

  test('refuses to renew a policy and to add a fault rule, and does nothing', async () => {
    let host: Host = {};
    const { call, control } = openPart({
      fullReason: (world, wanted) => host.fullReason?.(world, wanted),
    });
    const { policy_no } = await buy({ call }, 'micro_health');
    const before = (await control('getSnapshot')).body.world.families;
    host = isFull;
    const renewal = { ...exampleOf('topUpMicroHealthSubscription'), policy_no };
    const refused = await call('topUpMicroHealthSubscription', renewal);
    expect([refused.status, refused.body.message]).toEqual([507, FULL]);
    const body = { stage: 'before', effect: { kind: 'respond', status: 503 } };
    const rule = await control('addFault', { body });
    expect([rule.status, rule.body.detail]).toEqual([507, FULL]);
    expect((await control('listFaults')).body.data).toEqual([]);
    expect((await control('getSnapshot')).body.world.families).toEqual(before);
  });
});

describe('merchants by the page', () => {
  function createMany() {
    const sandbox = createSandbox({ now: START, clock: 'frozen' });
    for (let count = 0; count < 120; count++) sandbox.createMerchant();
    return sandbox;
  }

  test('are a hundred, and the last page holds fewer', async () => {
    const sandbox = createMany();
    const page = async (page: number) =>
      (await control(sandbox, 'listMerchants', { query: { page } })).body.data.length;
    expect([await page(1), await page(2), await page(3)]).toEqual([100, 22, 0]);
    expect((await control(sandbox, 'listMerchants')).body.data).toHaveLength(122);
  });

  test('are reset alone where a page is named', async () => {
    const sandbox = createMany();
    const [first, ...others] = sandbox.merchants();
    const last = others.at(-1);
    for (const merchant of [first, last]) merchant?.clock.advance('PT1M');
    const { body } = await control(sandbox, 'resetAll', { query: { page: 2 } });
    expect(body.data).toHaveLength(22);
    expect(last?.clock.show().now).toBe('2026-01-31T10:00:00.000Z');
    expect(first?.clock.show().now).toBe('2026-01-31T10:01:00.000Z');
  });

  test.each(['0', 'two', '1.5'])('is refused for page %s', async (page) => {
    const sandbox = createSandbox();
    expect((await control(sandbox, 'listMerchants', { query: { page } })).status).toBe(422);
    expect((await control(sandbox, 'resetAll', { query: { page } })).status).toBe(422);
  });
});
