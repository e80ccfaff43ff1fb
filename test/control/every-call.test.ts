import { describe, expect, test } from 'vitest';
import { CONTROL_PATH } from '../../src/control/access.ts';
import type { Merchant, Sandbox } from '../../src/index.ts';
import {
  BASE,
  clientOf,
  createSandbox,
  everythingOf,
  readAnswer,
  START,
} from '../support/client.ts';
import {
  type ControlInit,
  type ControlRoute,
  checkProblem,
  control,
  controlRequest,
  controlRoutes,
} from '../support/control.ts';
import { buy, initiate } from '../support/requests.ts';

interface Scene {
  readonly sandbox: Sandbox;
  readonly merchant: Merchant;
}

/** A sandbox in which something happened: a policy, a pending purchase, a fault, a journal. */
async function createScene(): Promise<Scene> {
  const sandbox = createSandbox({ now: START, clock: 'frozen', seed: 7 });
  const merchant = sandbox.createMerchant({ name: 'Scene' });
  const client = clientOf(sandbox, merchant);
  await buy(client, 'micro_health');
  await initiate(client, 'motor');
  merchant.faults.add({
    match: { operation: 'verifyMotorPolicy' },
    stage: 'after',
    effect: { kind: 'drop' },
  });
  return { sandbox, merchant };
}

/** Each call of the control plane, with the method that does the same. */
const CALLS: Readonly<
  Record<string, { init?: (scene: Scene) => ControlInit; method: (scene: Scene) => unknown }>
> = {
  getClock: { method: ({ merchant }) => merchant.clock.show() },
  setClock: {
    init: () => ({ body: { mode: 'running', now: '2200-01-01T00:00:00Z' } }),
    method: ({ merchant }) => {
      merchant.clock.set({ mode: 'running', now: new Date('2200-01-01T00:00:00Z') });
      return undefined;
    },
  },
  advanceClock: {
    init: () => ({ body: { by: 'PT15M' } }),
    method: ({ merchant }) => merchant.clock.advance('PT15M'),
  },
  resetWorld: {
    method: ({ merchant }) => {
      merchant.reset();
      return merchant.show();
    },
  },
  getSnapshot: { method: ({ merchant }) => merchant.snapshot() },
  putSnapshot: {
    init: ({ sandbox }) => ({ body: sandbox.merchant('sk_sandbox_demo').snapshot() }),
    method: ({ sandbox, merchant }) => {
      merchant.restore(sandbox.merchant('sk_sandbox_demo').snapshot());
      return merchant.show();
    },
  },
  listFaults: { method: ({ merchant }) => merchant.faults.list() },
  addFault: {
    init: () => ({ body: { stage: 'before', effect: { kind: 'respond', status: 503 }, times: 2 } }),
    method: ({ merchant }) =>
      merchant.faults.add({ stage: 'before', effect: { kind: 'respond', status: 503 }, times: 2 }),
  },
  clearFaults: { method: ({ merchant }) => merchant.faults.clear() },
  removeFault: {
    init: () => ({ id: 'fault-1' }),
    method: ({ merchant }) => merchant.faults.remove('fault-1'),
  },
  listSandboxJournal: {
    init: ({ merchant }) => ({ query: { merchant: merchant.id, limit: 2 } }),
    method: ({ sandbox, merchant }) => sandbox.journal({ merchant: merchant.id, limit: 2 }),
  },
  listJournal: {
    init: () => ({ query: { status: 200, limit: 2 } }),
    method: ({ merchant }) => merchant.journal.list({ status: 200, limit: 2 }),
  },
  clearJournal: { method: ({ merchant }) => merchant.journal.clear() },
  getJournalEntry: {
    init: () => ({ id: 'req-3-2' }),
    method: ({ merchant }) => merchant.journal.get('req-3-2'),
  },
  awaitJournal: {
    init: () => ({ body: { operation: 'initiateMotorPolicy' } }),
    method: ({ merchant }) => merchant.journal.await({ operation: 'initiateMotorPolicy' }),
  },
  listRecords: {
    init: () => ({ query: { family: 'micro_health', per_page: 1 } }),
    method: ({ merchant }) => merchant.records({ family: 'micro_health', per_page: 1 }),
  },
  listPurchases: { method: ({ merchant }) => merchant.purchases() },
  listAssumptions: { method: ({ merchant }) => merchant.assumptions() },
  listMerchants: { method: ({ sandbox }) => sandbox.merchants().map((each) => each.show()) },
  createMerchant: {
    init: () => ({ body: { name: 'New', records: 'demo', now: START, seed: 3 } }),
    method: ({ sandbox }) =>
      sandbox.createMerchant({ name: 'New', records: 'demo', now: START, seed: 3 }).show(),
  },
  removeMerchant: {
    init: ({ merchant }) => ({ id: merchant.id }),
    method: ({ merchant }) => merchant.remove(),
  },
  rotateKey: {
    init: ({ merchant }) => ({ id: merchant.id }),
    method: ({ merchant }) => {
      merchant.rotateKey();
      return merchant.show();
    },
  },
  resetAll: {
    method: ({ sandbox }) => {
      sandbox.resetAll();
      return sandbox.merchants().map((each) => each.show());
    },
  },
};

test('every call has its method here', () => {
  const called = controlRoutes.filter(({ stream }) => !stream);
  expect(Object.keys(CALLS).sort()).toEqual(called.map(({ operationId }) => operationId).sort());
});

/** What a call is sent in a scene. */
const initOf = ({ operationId, over }: ControlRoute, scene: Scene): ControlInit => ({
  ...(over === 'world' && { key: scene.merchant.apiKey }),
  ...CALLS[operationId]?.init?.(scene),
});

describe.each(controlRoutes)('$operationId', (route) => {
  const { operationId, list, status } = route;

  test.skipIf(route.stream)('does the same by HTTP and by method', async () => {
    const [one, two] = [await createScene(), await createScene()];
    const answer = await control(one.sandbox, operationId, initOf(route, one));
    const returned = await CALLS[operationId]?.method(two);
    expect(answer.status).toBe(status);
    if (operationId === 'setClock') expect(answer.body.mode).toBe('running');
    else if (status !== 204) expect(list ? answer.body.data : answer.body).toEqual(returned);
    freeze(one);
    freeze(two);
    expect(everythingOf(one.sandbox)).toEqual(everythingOf(two.sandbox));
  });

  test('tells another method which ones there are', async () => {
    const { sandbox, merchant } = await createScene();
    const { url } = controlRequest(route, { id: '1' });
    const response = await sandbox.fetch(
      new Request(url, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${merchant.apiKey}` },
      }),
    );
    const answer = await readAnswer(response);
    checkProblem(answer);
    expect(answer.status).toBe(405);
    const allowed = (answer.headers.get('allow') ?? '').split(', ');
    expect(allowed).toContain(route.method.toUpperCase());
    expect(allowed.includes('HEAD')).toBe(allowed.includes('GET'));
  });

  test('allows no page of another site: nothing of CORS', async () => {
    const { sandbox } = await createScene();
    const { url } = controlRequest(route, { id: '1' });
    for (const method of ['OPTIONS', route.method.toUpperCase()]) {
      const headers = {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
      };
      const response = await sandbox.fetch(new Request(url, { method, headers }));
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect([...response.headers.keys()].join()).not.toMatch(/access-control|vary/);
    }
  });
});

test.each(controlRoutes.filter(({ over }) => over === 'world'))(
  "$operationId asks for a merchant's key before anything else",
  async (route) => {
    const { operationId, request } = route;
    const scene = await createScene();
    const before = everythingOf(scene.sandbox);
    for (const key of [undefined, 'nobody']) {
      const { key: _, ...init } = initOf(route, scene);
      const answer = await control(scene.sandbox, operationId, {
        ...init,
        ...(request?.in === 'body' && { raw: '{' }),
        ...(key !== undefined && { key }),
      });
      expect(answer.status).toBe(401);
    }
    expect(everythingOf(scene.sandbox)).toEqual(before);
  },
);

test.each(controlRoutes.filter(({ request }) => request?.in === 'body'))(
  '$operationId refuses what is no JSON, and changes nothing',
  async (route) => {
    const { operationId, request, status } = route;
    const scene = await createScene();
    const before = everythingOf(scene.sandbox);
    const send = (init: ControlInit) =>
      control(scene.sandbox, operationId, { ...initOf(route, scene), ...init });
    expect((await send({ raw: '{' })).status).toBe(400);
    expect((await send({ raw: new Uint8Array([0x7b, 0xff, 0x7d]) })).status).toBe(400);
    expect((await send({ raw: `{"a":${'['.repeat(500)}${']'.repeat(500)}}` })).status).toBe(400);
    expect((await send({ raw: '{}', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    for (const raw of ['[]', '"text"', 'null', '7']) {
      expect((await send({ raw })).status, raw).toBe(422);
    }
    const unknown = await send({ raw: '{"unheard_of":1}' });
    expect(unknown.status).toBe(422);
    expect(unknown.body.errors.join()).toContain('unknown "unheard_of"; known: ');
    if (operationId !== 'putSnapshot') {
      expect((await send({ raw: `{"a":"${'x'.repeat(1024 * 1024)}"}` })).status).toBe(413);
    }
    expect(everythingOf(scene.sandbox)).toEqual(before);
    expect((await send({ raw: '' })).status).toBe(request?.optional ? status : 400);
  },
);

test('an unknown path of the control plane is a problem that says where to look', async () => {
  const { sandbox } = await createScene();
  for (const path of ['/', '/nope', '/clock/', '/merchants/1/2']) {
    const answer = await readAnswer(await sandbox.fetch(new Request(BASE + CONTROL_PATH + path)));
    checkProblem(answer);
    expect(answer.status, path).toBe(404);
    expect(answer.body.detail).toContain('/_sandbox/openapi.json');
  }
});

test.each(['', '/openapi.json'])('/_sandbox%s is only read', async (path) => {
  const { sandbox } = await createScene();
  const url = `${BASE}${CONTROL_PATH}${path}`;
  const answer = await readAnswer(await sandbox.fetch(new Request(url, { method: 'PUT' })));
  checkProblem(answer);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('a HEAD is answered as its GET, without the body', async () => {
  const { sandbox, merchant } = await createScene();
  const headers = { authorization: `Bearer ${merchant.apiKey}` };
  const url = `${BASE}${CONTROL_PATH}/clock`;
  const response = await sandbox.fetch(new Request(url, { method: 'HEAD', headers }));
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('control calls are in no journal, and no fault touches them', async () => {
  const { sandbox, merchant } = await createScene();
  merchant.faults.add({ stage: 'before', effect: { kind: 'drop' }, times: 5 });
  const headers = { 'sandbox-fault': 'before; drop' };
  const answer = await control(sandbox, 'listJournal', { key: merchant.apiKey, headers });
  expect(answer.body.data).toHaveLength(3);
  expect(merchant.faults.list()[1]?.times).toBe(5);
});

/** Running clocks show other moments a moment later. */
function freeze({ sandbox }: Scene): void {
  for (const merchant of sandbox.merchants()) {
    merchant.clock.set({ mode: 'frozen', now: '2201-01-01T00:00:00Z' });
  }
}
