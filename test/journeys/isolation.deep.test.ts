import { Agent, request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { createSandbox, type Merchant, type Sandbox } from '../../src/index.ts';
import { startSandbox } from '../../src/node.ts';
import { START } from '../support/client.ts';
import { amountOf } from '../support/depth.ts';
import { type Life, live, type Send, worldOf } from '../support/lives.ts';
import { familyKeys } from '../support/requests.ts';

const CLIENTS = amountOf({ sample: 4, ci: 20, all: 500 });
const OPTIONS = { now: START, clock: 'frozen', seed: 7, publicUrl: 'http://sandbox' } as const;

/** Faults drop or truncate some of the responses. */
const LIFE: Life = { purchases: 100, losses: ['after; drop', 'before; truncate'] };

test('concurrent clients with their own clocks and faults leave every World as if each ran alone', async () => {
  const server = await startSandbox({ ...OPTIONS, port: 0 });
  const agents: Agent[] = [];
  try {
    const merchants = mintAll(server.sandbox);
    await Promise.all(
      merchants.map((merchant, client) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        agents.push(agent);
        return live(overSocket(server.port, agent, merchant), client, LIFE);
      }),
    );
    for (const [client, merchant] of merchants.entries()) {
      const sandbox = createSandbox(OPTIONS);
      const alone = mintAll(sandbox)[client] as Merchant;
      await live(inProcess(sandbox, alone), client, LIFE);
      const [one, other] = [merchant, alone].map((each) => worldOf(each.snapshot()));
      // Comparing texts is fast; comparing objects shows where they differ.
      if (JSON.stringify(one) !== JSON.stringify(other)) expect(one, merchant.name).toEqual(other);
      const { counts } = merchant.show();
      const bought = familyKeys.map((family) => Number(counts[family]));
      expect(bought.reduce((sum, count) => sum + count)).toBeGreaterThan(LIFE.purchases / 2);
    }
  } finally {
    for (const agent of agents) agent.destroy();
    await server.close();
  }
}, 600_000);

const mintAll = (sandbox: Sandbox): Merchant[] =>
  Array.from({ length: CLIENTS }, (_, client) =>
    sandbox.createMerchant({ name: `Client ${client}` }),
  );

const headersOf = (
  { apiKey }: Merchant,
  body: unknown,
  fault?: string,
): Record<string, string> => ({
  authorization: `Bearer ${apiKey}`,
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(fault !== undefined && { 'sandbox-fault': fault }),
});

const inProcess =
  (sandbox: Sandbox, merchant: Merchant): Send =>
  async (method, path, body, fault) => {
    try {
      const headers = headersOf(merchant, body, fault);
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const response = await sandbox.fetch(new Request(`http://sandbox${path}`, init));
      return await response.text();
    } catch {
      return undefined;
    }
  };

const overSocket =
  (port: number, agent: Agent, merchant: Merchant): Send =>
  (method, path, body, fault) =>
    new Promise((resolve) => {
      const lost = () => resolve(undefined);
      const headers = headersOf(merchant, body, fault);
      const request = httpRequest({ port, method, path, headers, agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve(text)).on('error', lost);
      });
      request.on('error', lost).end(body === undefined ? undefined : JSON.stringify(body));
    });
