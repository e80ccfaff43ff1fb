import { expect, test } from 'vitest';
import { CONTROL_PATH } from '../../src/control/access.ts';
import { type Client, createClient, everythingOf, readAnswer, START } from '../support/client.ts';
import { JSON_TYPES, NOT_JSON_TYPE, OTHER_TYPES } from '../support/content-types.ts';
import {
  type ControlInit,
  type ControlRoute,
  checkProblem,
  control,
  controlRequest,
  controlRoutes,
} from '../support/control.ts';
import { buy, initiate } from '../support/requests.ts';

/** A sandbox with a policy, a pending purchase, a fault and a journal. */
async function createScene(): Promise<Client> {
  const client = createClient();
  await buy(client, 'micro_health');
  await initiate(client, 'motor');
  client.merchant.faults.add({
    match: { operation: 'verifyMotorPolicy' },
    stage: 'after',
    effect: { kind: 'drop' },
  });
  return client;
}

const LATER = { mode: 'frozen', now: '2200-01-01T00:00:00Z' } as const;
const RULE = { stage: 'before', effect: { kind: 'respond', status: 503 }, times: 2 } as const;
const NEW = { name: 'New', records: 'demo', now: START, seed: 3 } as const;
const demoSnapshot = ({ sandbox }: Client) => sandbox.merchant('sk_sandbox_demo').snapshot();
const ofMerchant = ({ merchant }: Client) => ({ id: merchant.id });

/** Every control call with its method and its input. */
const CALLS: Readonly<
  Record<string, readonly [(scene: Client) => unknown, ((scene: Client) => ControlInit)?]>
> = {
  getClock: [({ merchant }) => merchant.clock.show()],
  setClock: [({ merchant }) => merchant.clock.set(LATER), () => ({ body: LATER })],
  advanceClock: [
    ({ merchant }) => merchant.clock.advance('PT15M'),
    () => ({ body: { by: 'PT15M' } }),
  ],
  resetWorld: [
    ({ merchant }) => merchant.reset({ records: { motor: 2 } }),
    () => ({ body: { records: { motor: 2 } } }),
  ],
  rewindWorld: [({ merchant }) => merchant.rewind('req-3-2'), () => ({ body: { to: 'req-3-2' } })],
  getSnapshot: [({ merchant }) => merchant.snapshot()],
  putSnapshot: [
    (scene) => scene.merchant.restore(demoSnapshot(scene)),
    (scene) => ({ body: demoSnapshot(scene) }),
  ],
  listFaults: [({ merchant }) => merchant.faults.list()],
  addFault: [({ merchant }) => merchant.faults.add(RULE), () => ({ body: RULE })],
  clearFaults: [({ merchant }) => merchant.faults.clear()],
  removeFault: [({ merchant }) => merchant.faults.remove('fault-1'), () => ({ id: 'fault-1' })],
  listSandboxJournal: [
    ({ sandbox }) => sandbox.journal({ merchant: 3, limit: 2 }),
    () => ({ query: { merchant: 3, limit: 2 } }),
  ],
  listJournal: [
    ({ merchant }) => merchant.journal.list({ status: 200, limit: 2 }),
    () => ({ query: { status: 200, limit: 2 } }),
  ],
  clearJournal: [({ merchant }) => merchant.journal.clear()],
  getJournalEntry: [({ merchant }) => merchant.journal.get('req-3-2'), () => ({ id: 'req-3-2' })],
  sendJournalEntry: [({ merchant }) => merchant.journal.send('req-3-2'), () => ({ id: 'req-3-2' })],
  awaitJournal: [
    ({ merchant }) => merchant.journal.await({ operation: 'initiateMotorPolicy' }),
    () => ({ body: { operation: 'initiateMotorPolicy' } }),
  ],
  listRecords: [
    ({ merchant }) => merchant.records({ family: 'micro_health', per_page: 1 }),
    () => ({ query: { family: 'micro_health', per_page: 1 } }),
  ],
  listProducts: [({ merchant }) => merchant.products()],
  listPurchases: [({ merchant }) => merchant.purchases()],
  listAssumptions: [({ merchant }) => merchant.assumptions()],
  getMerchant: [({ merchant }) => merchant.show()],
  listMerchants: [({ sandbox }) => sandbox.merchants().map((each) => each.show())],
  createMerchant: [({ sandbox }) => sandbox.createMerchant(NEW).show(), () => ({ body: NEW })],
  removeMerchant: [({ merchant }) => merchant.remove(), ofMerchant],
  rotateKey: [({ merchant }) => void merchant.rotateKey(), ofMerchant],
  resetAll: [({ sandbox }) => sandbox.resetAll()],
};

/** The input of a call in a scene. */
const initOf = ({ operationId, over }: ControlRoute, scene: Client): ControlInit => ({
  ...(over === 'world' && { key: scene.merchant.apiKey }),
  ...CALLS[operationId]?.[1]?.(scene),
});

test.each(controlRoutes.filter(({ stream }) => !stream))(
  '$operationId does the same by HTTP and by method',
  async (route) => {
    const { operationId, list, status } = route;
    const [one, two] = [await createScene(), await createScene()];
    const answer = await control(one.sandbox, operationId, initOf(route, one));
    const [method] = CALLS[operationId] as (typeof CALLS)[string];
    const returned = await method(two);
    expect(answer.status).toBe(status);
    expect(everythingOf(one.sandbox)).toEqual(everythingOf(two.sandbox));
    if (status === 204) return;
    // HTTP shows the result if the method returns nothing.
    const shown = () =>
      list ? two.sandbox.merchants().map((each) => each.show()) : two.merchant.show();
    expect(sameTime(list ? answer.body.data : answer.body)).toEqual(sameTime(returned ?? shown()));
  },
);

/** Real time is the one thing that differs between two sandboxes with the same calls. */
const sameTime = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, held) =>
    ['elapsed_ms', 'received_at'].includes(key) ? typeof held : held,
  );

test.each(controlRoutes)(
  '$operationId refuses another method and lists the allowed ones',
  async (route) => {
    const { sandbox, merchant } = await createScene();
    const { url } = controlRequest(route, { id: '1' });
    const headers = { authorization: `Bearer ${merchant.apiKey}` };
    const answer = await readAnswer(await sandbox.fetch(url, { method: 'PATCH', headers }));
    checkProblem(answer);
    expect(answer.status).toBe(405);
    const allowed = (answer.headers.get('allow') ?? '').split(', ');
    expect(allowed).toContain(route.method.toUpperCase());
    expect(allowed.includes('HEAD')).toBe(allowed.includes('GET'));
  },
);

test.each(controlRoutes.filter(({ over }) => over === 'world'))(
  "$operationId asks for a merchant's key before anything else",
  async (route) => {
    const { operationId, request } = route;
    const scene = await createScene();
    const before = everythingOf(scene.sandbox);
    const { key: _, ...init } = initOf(route, scene);
    const broken = { ...init, ...(request?.in === 'body' && { raw: '{' }) };
    for (const key of [{}, { key: 'nobody' }]) {
      expect((await control(scene.sandbox, operationId, { ...broken, ...key })).status).toBe(401);
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
    const deep = `{"a":${'['.repeat(500)}${']'.repeat(500)}}`;
    for (const raw of ['{', new Uint8Array([0x7b, 0xff, 0x7d]), deep]) {
      expect((await send({ raw })).status).toBe(400);
    }
    for (const type of OTHER_TYPES) {
      const answer = await send({ raw: '{}', headers: { 'content-type': type } });
      expect([answer.status, answer.body.detail], type).toEqual([415, NOT_JSON_TYPE]);
    }
    const bytes = new Uint8Array([0x7b, 0x7d]);
    const untyped = await send({ raw: bytes, headers: { 'content-type': '' } });
    expect([untyped.status, untyped.body.detail]).toEqual([415, NOT_JSON_TYPE]);
    for (const raw of ['[7]', '"text"', 'null', '7']) {
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

test.each(controlRoutes.filter(({ request }) => request?.in === 'body'))(
  '$operationId accepts every spelling of application/json',
  async (route) => {
    for (const type of JSON_TYPES) {
      const scene = await createScene();
      const init = { ...initOf(route, scene), headers: { 'content-type': type } };
      const answer = await control(scene.sandbox, route.operationId, init);
      expect(answer.status, type).toBe(route.status);
    }
  },
);

test.each(controlRoutes.filter(({ request }) => request?.in === 'body' && request.optional))(
  '$operationId accepts an absent body with any Content-Type, as curl -d "" sends it',
  async (route) => {
    for (const type of ['application/x-www-form-urlencoded', 'application/json;']) {
      const scene = await createScene();
      const init = { ...initOf(route, scene), raw: '', headers: { 'content-type': type } };
      const answer = await control(scene.sandbox, route.operationId, init);
      expect(answer.status, type).toBe(route.status);
    }
  },
);

test.each(['/nope', '/clock/', '/merchants/1/2'])(
  '/_sandbox%s is unknown, and the problem says where to look',
  async (path) => {
    const answer = await readAnswer(await createClient().sandbox.fetch(CONTROL_PATH + path));
    checkProblem(answer);
    expect(answer.status).toBe(404);
    expect(answer.body.detail).toContain('/_sandbox/openapi.json');
  },
);

test('HEAD returns what GET returns, without the body', async () => {
  const { sandbox, merchant } = createClient();
  const headers = { authorization: `Bearer ${merchant.apiKey}` };
  const response = await sandbox.fetch(`${CONTROL_PATH}/clock`, { method: 'HEAD', headers });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('control calls are in no journal, and faults ignore them', async () => {
  const { sandbox, merchant } = await createScene();
  merchant.faults.add({ stage: 'before', effect: { kind: 'drop' }, times: 5 });
  const headers = { 'sandbox-fault': 'before; drop' };
  const answer = await control(sandbox, 'listJournal', { key: merchant.apiKey, headers });
  expect(answer.body.data).toHaveLength(3);
  expect(merchant.faults.list()[1]?.times).toBe(5);
});
