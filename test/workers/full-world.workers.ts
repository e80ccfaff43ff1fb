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
      'A World holds at most 20,000 policies and pending purchases here, or 31 MiB of them and of fault rules; reset it, or buy with another key.',
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

test('fault rules have a limit too, so that a World can always take its own snapshot back', async () => {
  const client = await mint(await ownEngine());
  const effect = { kind: 'respond', status: 503, body: 'x'.repeat(1_000_000) };
  const rule = { match: { operation: verifyOf.motor }, stage: 'before', effect };
  for (let count = 0; count < 8; count++) {
    expect((await client.control('addFault', { body: rule })).status).toBe(201);
  }
  const refused = await client.control('addFault', { body: rule });
  expect([refused.status, refused.body.detail]).toEqual([
    422,
    'A World has fault rules of at most 8 MiB in all; remove some with DELETE /_sandbox/faults.',
  ]);
  const full = await client.merchant.snapshot();
  expect((await client.control('putSnapshot', { body: full })).status).toBe(200);
  expect((await client.control('listFaults')).body.data).toHaveLength(8);
  expect((await client.control('clearFaults')).status).toBe(204);
  expect((await client.control('addFault', { body: rule })).status).toBe(201);
});
