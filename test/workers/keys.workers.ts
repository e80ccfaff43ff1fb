import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operations } from '../support/client.ts';
import { control, controlRoutes } from '../support/control.ts';
import { buy, exampleOf } from '../support/requests.ts';
import { adminCall, mint, remoteClient } from './support/clients.ts';
import { type Engine, ownEngine, type Vars } from './support/engine.ts';

/** A client that has nothing but a key. */
const stranger = (engine: Engine, key: string) => remoteClient(engine, 0, key);

const clockStatus = async (engine: Engine, key: string): Promise<number> =>
  (await control(engine, 'getClock', { key })).status;

const merchantsOf = async (engine: Engine) =>
  (await adminCall(engine, 'listMerchants')).body.data as { id: number; api_key: string }[];

describe('an unknown key', () => {
  test('is refused by every call, and leaves nothing stored and nobody in the list', async () => {
    const engine = await ownEngine();
    const { call } = stranger(engine, 'sk_unknown');
    for (const { operationId } of operations) {
      expect((await call(operationId, exampleOf(operationId))).status, operationId).toBe(401);
    }
    for (const { operationId, request } of controlRoutes) {
      const body = request?.in === 'body' ? { body: {} } : {};
      const init = { key: 'sk_unknown', id: 1, ...body };
      const { status } = await control(engine, operationId, init);
      expect(status, operationId).toBe(401);
    }
    expect(await merchantsOf(engine)).toEqual([]);
    const worlds = (await engine.stored()).filter(({ className }) => className === 'WorldObject');
    expect(worlds.map(({ rows, values }) => ({ rows, values }))).toEqual([
      { rows: {}, values: {} },
    ]);
  });

  test('is that of the demo merchant, unless the deployment has it', async () => {
    const engine = await ownEngine();
    expect(await clockStatus(engine, 'sk_sandbox_demo')).toBe(401);
    const demo = await ownEngine({ SANDBOX_DEMO: '1' });
    expect(await clockStatus(demo, 'sk_sandbox_demo')).toBe(200);
    expect((await merchantsOf(demo)).map(({ id }) => id)).toEqual([1, 2]);
  });

  test('opens a World of its own where every key does, up to as many as there may be', async () => {
    const engine = await ownEngine({ SANDBOX_AUTO_MERCHANTS: '1', SANDBOX_MAX_MERCHANTS: '2' });
    const [one, other] = [stranger(engine, 'worker-1'), stranger(engine, 'worker-2')];
    await buy(one, 'motor');
    expect((await other.call('listMotorPolicies')).body.data).toEqual([]);
    expect(await clockStatus(engine, 'worker-3')).toBe(401);
    expect((await merchantsOf(engine)).map(({ api_key }) => api_key)).toEqual([
      'worker-1',
      'worker-2',
    ]);
    await engine.restart();
    expect((await one.call('listMotorPolicies')).body.data).toHaveLength(1);
    expect(await clockStatus(engine, 'worker-3')).toBe(401);
  });
});

describe('a key that was given up', () => {
  test.each([{}, { SANDBOX_AUTO_MERCHANTS: '1' }])(
    'is refused at once and for ever, and its successors open the World: %j',
    async (vars: Vars) => {
      const engine = await ownEngine(vars);
      const client = await mint(engine, { name: 'Worker 3' });
      const { id } = client.merchant;
      const { policy_number } = await buy(client, 'motor');
      const keys = [client.apiKey];
      for (let turn = 0; turn < 3; turn++) {
        const { body } = await adminCall(engine, 'rotateKey', { id });
        expect(body).toMatchObject({ id, name: 'Worker 3', counts: { motor: 1 } });
        keys.push(body.api_key);
      }
      const [current = '', ...given] = keys.toReversed();
      for (const when of ['at once', 'after a restart']) {
        for (const key of given) expect(await clockStatus(engine, key), when).toBe(401);
        const { data } = (await stranger(engine, current).call('listMotorPolicies')).body;
        expect(data[0].policy_number, when).toBe(policy_number);
        expect((await merchantsOf(engine)).map(({ api_key }) => api_key)).toEqual([current]);
        await engine.restart();
      }
    },
  );
});

test('a call without a key, or with one that nobody has, is refused before its body has come', async () => {
  const engine = await ownEngine();
  const { port, hostname } = new URL(engine.url);
  for (const authorization of ['', 'Authorization: Bearer nobody\r\n']) {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST /api/merchant/micro_health/verify HTTP/1.1\r\nHost: ${hostname}\r\n${authorization}` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"token": ',
    );
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(/^HTTP\/1.1 401 /);
  }
});
