import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { BASE, type Fetcher, operations } from '../support/client.ts';
import { control, controlRoutes } from '../support/control.ts';
import { buy, exampleOf } from '../support/requests.ts';
import { adminCall, mint, remoteClient } from './support/clients.ts';
import { startEngine } from './support/engine.ts';

/** The Worker, with a route that lists what the object of a key has stored. */
const PROGRAM = `
import worker, { MerchantsObject, WorldObject as Real } from './worker.js';
export { MerchantsObject };

export class WorldObject extends Real {
  async stored() {
    const { sql } = this.ctx.storage;
    const tables = sql.exec("SELECT name FROM sqlite_master WHERE name NOT GLOB '_cf*'");
    return [...tables, ...(await this.ctx.storage.list())];
  }
}

export default {
  async fetch(request, env, lifetime) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== '/stored') return worker.fetch(request, env, lifetime);
    return Response.json(await env.WORLDS.getByName(searchParams.get('key')).stored());
  },
};
`;

const engine = await startEngine({}, PROGRAM);
/** An engine that creates a merchant for every new key. */
const open = await startEngine({ SANDBOX_AUTO_MERCHANTS: '1', SANDBOX_MAX_MERCHANTS: '2' });

/** A client with only a key. */
const stranger = (sandbox: Fetcher, key: string) => remoteClient(sandbox, 0, key);

const clockStatus = async (sandbox: Fetcher, key: string): Promise<number> =>
  (await control(sandbox, 'getClock', { key })).status;

const keysOf = async (sandbox: Fetcher): Promise<string[]> =>
  (await adminCall(sandbox, 'listMerchants')).body.data.map(
    ({ api_key }: { api_key: string }) => api_key,
  );

const storedFor = async (key: string): Promise<unknown[]> =>
  (await engine.fetch(new Request(`${BASE}/stored?key=${key}`))).json() as Promise<unknown[]>;

// The demo key is unknown too, because this deployment has no demo merchant.
test.each(['sk_unknown', 'sk_sandbox_demo'])(
  'every request with the unknown key %s is refused, creates no merchant and stores nothing',
  async (key) => {
    const before = await keysOf(engine);
    for (const { operationId } of operations) {
      const { status } = await stranger(engine, key).call(operationId, exampleOf(operationId));
      expect(status, operationId).toBe(401);
    }
    for (const { operationId, request } of controlRoutes) {
      const init = { key, id: 1, ...(request?.in === 'body' && { body: {} }) };
      expect((await control(engine, operationId, init)).status, operationId).toBe(401);
    }
    expect(await keysOf(engine)).toEqual(before);
    expect(await storedFor(key)).toEqual([]);
    expect(await storedFor((await mint(engine)).apiKey)).not.toEqual([]);
  },
);

test('a request with a missing or unknown key is refused before its body arrives', async () => {
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

test('with auto merchants, each new key gets its own World, up to the maximum', async () => {
  await buy(stranger(open, 'worker-1'), 'motor');
  const other = await stranger(open, 'worker-2').call('listMotorPolicies');
  expect(other.body.data).toEqual([]);
  expect(await clockStatus(open, 'worker-3')).toBe(401);
  expect(await keysOf(open)).toEqual(['worker-1', 'worker-2']);
  // Makes room for the next test.
  for (const { id } of (await adminCall(open, 'listMerchants')).body.data) {
    await adminCall(open, 'removeMerchant', { id });
  }
});

test('a rotated key stays refused, and the new key opens the same World', async () => {
  const { policy_number } = await buy(stranger(open, 'worker-4'), 'motor');
  const [{ id }] = (await adminCall(open, 'listMerchants')).body.data;
  const keys = ['worker-4'];
  for (let turn = 0; turn < 3; turn++) {
    const { body } = await adminCall(open, 'rotateKey', { id });
    expect(body).toMatchObject({ id, counts: { motor: 1 } });
    keys.push(body.api_key);
  }
  const current = keys.pop() as string;
  for (const when of ['at once', 'after a restart']) {
    for (const key of keys) expect(await clockStatus(open, key), when).toBe(401);
    const { data } = (await stranger(open, current).call('listMotorPolicies')).body;
    expect(data[0].policy_number, when).toBe(policy_number);
    expect(await keysOf(open)).toEqual([current]);
    await open.restart();
  }
});
