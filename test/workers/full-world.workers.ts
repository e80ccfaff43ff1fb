import { expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { BASE, operationOf, requestOf, START } from '../support/client.ts';
import { familyKeys, initiateOf, purchaseOf, verifyOf } from '../support/requests.ts';
import { mint } from './support/clients.ts';
import { ownEngine } from './support/engine.ts';

const MAX_POLICIES = 20_000;

/** A World with that many motor policies, as a document. */
async function snapshotWith(policies: number): Promise<object> {
  const sandbox = createSandbox({ now: START, clock: 'frozen', seed: 7 });
  const { apiKey, journal, snapshot } = sandbox.createMerchant();
  const call = async (operationId: string, input: unknown): Promise<string> => {
    const request = requestOf(operationOf(operationId), BASE, apiKey, input);
    return (await sandbox.fetch(request)).text();
  };
  for (let number = 0; number < policies; number++) {
    const [, token] =
      /"token":"(\w+)"/.exec(await call(initiateOf.motor, purchaseOf('motor'))) ?? [];
    await call(verifyOf.motor, { token });
  }
  journal.clear();
  return snapshot();
}

test('a World that is full refuses each initiate in its envelope, and goes on with everything else', async () => {
  const engine = await ownEngine();
  const client = await mint(engine);
  const body = await snapshotWith(MAX_POLICIES - 1);
  expect((await client.control('putSnapshot', { body })).status).toBe(200);

  const { data } = (await client.call(initiateOf.motor, purchaseOf('motor'))).body;
  await engine.restart();
  for (const family of familyKeys) {
    const refused = await client.call(initiateOf[family], purchaseOf(family));
    expect(refused.status).toBe(507);
    expect(refused.body.data.error).toEqual([
      'A World holds at most 20,000 policies and pending purchases here, or 31 MiB of them; reset it, or buy with another key.',
    ]);
  }
  // What was begun is completed, and what there is can be taken out, put back and reset.
  expect((await client.call(verifyOf.motor, { token: data.token })).status).toBe(200);
  const full = await client.merchant.snapshot();
  expect((await client.control('putSnapshot', { body: full })).status).toBe(200);
  expect((await client.call(initiateOf.motor, purchaseOf('motor'))).status).toBe(507);
  expect((await client.control('resetWorld')).status).toBe(200);
  expect((await client.call(initiateOf.motor, purchaseOf('motor'))).status).toBe(200);
}, 600_000);
