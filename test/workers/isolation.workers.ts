import { expect, test } from 'vitest';
import { BASE } from '../support/client.ts';
import { amountOf } from '../support/depth.ts';
import { type Life, live, type Send, worldOf } from '../support/lives.ts';
import { mint, type RemoteClient, twinOf } from './support/clients.ts';
import { startEngine } from './support/engine.ts';

const CLIENTS = amountOf({ sample: 8, ci: 20, all: 50 });
/** A response that a fault replaces is lost to the client too. */
const LIFE: Life = {
  purchases: 12,
  losses: ['after; respond; status=502', 'before; malformed'],
};

const engine = await startEngine();

test('concurrent keys with their own clocks and faults do not interfere', async () => {
  const clients: RemoteClient[] = [];
  for (let number = 0; number < CLIENTS; number++) clients.push(await mint(engine));
  await Promise.all(clients.map((client, number) => live(sendAs(client), number, LIFE)));
  for (const [number, client] of clients.entries()) {
    const world = worldOf(await client.merchant.snapshot());
    const twin = twinOf(client);
    await live(sendAs(twin), number, LIFE);
    expect(world.items.length).toBeGreaterThan(2 * LIFE.purchases);
    expect(world).toEqual(worldOf(await twin.merchant.snapshot()));
  }
});

const sendAs =
  ({ sandbox, apiKey }: RemoteClient): Send =>
  async (method, path, body, fault) => {
    const response = await sandbox.fetch(
      new Request(BASE + path, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(fault !== undefined && { 'sandbox-fault': fault }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    return response.headers.has('sandbox-fault') ? undefined : text;
  };
