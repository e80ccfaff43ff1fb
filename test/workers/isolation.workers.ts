import { expect, test } from 'vitest';
import { createSandbox, type Snapshot } from '../../src/index.ts';
import { BASE, type Fetcher, START } from '../support/client.ts';
import { type Life, live, type Send, worldOf } from '../support/lives.ts';
import { familyKeys } from '../support/requests.ts';
import { mint } from './support/clients.ts';
import { sharedEngine } from './support/engine.ts';

const CLIENTS = 50;
/** Answers that a fault replaces are lost to their clients as well. */
const LIFE: Life = {
  purchases: 12,
  losses: ['after; respond; status=502', 'before; malformed'],
};

const engine = await sharedEngine({ SANDBOX_PUBLIC_URL: BASE });

test('50 keys at once, each with its own time and faults, leave every World as each does alone', async () => {
  const clients = [];
  for (let client = 0; client < CLIENTS; client++) {
    clients.push(await mint(engine, { name: `Client ${client}` }));
  }
  await Promise.all(
    clients.map((client, number) => live(sendTo(engine, client.apiKey), number, LIFE)),
  );
  // Before their twins live, who leave no time to hear of a connection that was closed meanwhile.
  const worlds = await Promise.all(clients.map(({ merchant }) => merchant.snapshot()));
  for (const [number, { merchant }] of clients.entries()) {
    const alone = createSandbox({ now: START, clock: 'frozen', seed: 7 });
    const others = clients.map((_, other) => alone.createMerchant({ name: `Client ${other}` }));
    const twin = others.find(({ id }) => id === merchant.id);
    await live(sendTo(alone, twin?.apiKey ?? ''), number, LIFE);
    expect(worldOf(worlds[number] as Snapshot)).toEqual(twin && worldOf(twin.snapshot()));
    const bought = familyKeys.map((family) => Number(twin?.show().counts[family]));
    expect(bought.reduce((sum, count) => sum + count)).toBeGreaterThan(LIFE.purchases / 2);
  }
}, 600_000);

const sendTo =
  (sandbox: Fetcher, apiKey: string): Send =>
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
