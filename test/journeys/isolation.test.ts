import { Agent, request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { createRandomState, nextFraction } from '../../src/core/random.ts';
import type { Operation } from '../../src/http/operation.ts';
import { createSandbox, type Merchant, type Sandbox } from '../../src/index.ts';
import { startSandbox } from '../../src/node/serve.ts';
import { lists, operationOf, START } from '../support/client.ts';
import {
  type FamilyKey,
  familyKeys,
  initiateOf,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';

const CLIENTS = 50;
const PURCHASES = 100;
const OPTIONS = { now: START, clock: 'frozen', seed: 7, publicUrl: 'http://sandbox' } as const;

/** Sends a request; answers the body, or undefined if the connection was lost. */
type Send = (
  method: string,
  path: string,
  body: unknown,
  fault?: string,
) => Promise<string | undefined>;

test('50 clients at once, each with its own time and faults, leave every World as each does alone', async () => {
  const server = await startSandbox({ ...OPTIONS, port: 0 });
  const agents: Agent[] = [];
  try {
    const merchants = mintAll(server.sandbox);
    await Promise.all(
      merchants.map((merchant, client) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        agents.push(agent);
        return live(overSocket(server.port, agent, merchant), client);
      }),
    );
    for (const [client, merchant] of merchants.entries()) {
      const sandbox = createSandbox(OPTIONS);
      const alone = mintAll(sandbox)[client] as Merchant;
      await live(inProcess(sandbox, alone), client);
      const [one, other] = [worldOf(merchant), worldOf(alone)];
      // Comparing texts is fast; comparing objects says where they differ.
      if (JSON.stringify(one) !== JSON.stringify(other)) expect(one, merchant.name).toEqual(other);
      const { counts } = merchant.show();
      const bought = familyKeys.map((family) => Number(counts[family]));
      expect(bought.reduce((sum, count) => sum + count)).toBeGreaterThan(PURCHASES / 2);
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

/** Buys a hundred policies in all families, through jumps of the clock and faults. */
async function live(send: Send, client: number): Promise<void> {
  const chance = createRandomState(client, 1);
  const oneIn = (count: number) => nextFraction(chance) < 1 / count;
  for (let purchase = 0; purchase < PURCHASES; purchase++) {
    const family = familyKeys[purchase % familyKeys.length] as FamilyKey;
    const initiate = operationOf(initiateOf[family]).path;
    const verify = operationOf(verifyOf[family]).path;
    if (oneIn(8)) await send('POST', '/_sandbox/faults', rule(verifyOf[family]));
    const text = await send('POST', initiate, purchaseOf(family));
    const [, token = 'lost'] = /"token":"(\w+)"/.exec(text ?? '') ?? [];
    if (oneIn(4)) {
      const by = oneIn(8) ? 'PT15M' : `PT${Math.floor(nextFraction(chance) * 300)}S`;
      await send('POST', '/_sandbox/clock/advance', { by });
    }
    const fault = oneIn(6) ? 'after; drop' : oneIn(12) ? 'before; truncate' : undefined;
    const verified = await send('POST', verify, { token }, fault);
    if (verified === undefined) await send('POST', verify, { token });
    if (oneIn(25)) {
      const list = lists[purchase % lists.length] as Operation;
      await send('GET', list.path, undefined);
    }
  }
}

const rule = (operation: string) => ({
  match: { operation },
  stage: 'after',
  effect: { kind: 'respond', status: 503 },
  probability: 0.5,
});

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

/** All a World remembers but the headers its clients happened to send, which differ by transport. */
function worldOf(merchant: Merchant) {
  const { journal, ...world } = merchant.snapshot().world as { journal: { request: object }[] };
  const exchanges = journal.map(({ request, ...entry }) => ({
    ...entry,
    body: (request as { body: unknown }).body,
  }));
  return { ...world, exchanges };
}
