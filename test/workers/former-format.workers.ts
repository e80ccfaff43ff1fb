import { expect, test } from 'vitest';
import { BASE, operationOf, readAnswer, requestOf } from '../support/client.ts';
import { checkProblem, controlRequest, controlRouteOf } from '../support/control.ts';
import { buy, initiateOf, purchaseOf } from '../support/requests.ts';
import { adminCall, mint, remoteClient } from './support/clients.ts';
import { ADMIN_TOKEN, ownEngine } from './support/engine.ts';

/** What version 0.1.0 kept: a World as one document, in pieces, and a log of calls. */
const FORMER = `
  DROP TABLE rows;
  DROP TABLE parts;
  CREATE TABLE document (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
  INSERT INTO document (bytes) VALUES ('{"version":1,"sandbox":{}}');
  CREATE TABLE log (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
`;

test('a World that version 0.1.0 wrote is refused by every call in one sentence, and stays as it is until it is removed', async () => {
  const engine = await ownEngine();
  const client = await mint(engine);
  const { id } = client.merchant;
  const key = client.apiKey;
  const former = await engine.stored({ WorldObject: FORMER });
  const initiate = operationOf(initiateOf.motor);
  for (const request of [
    requestOf(initiate, BASE, key, purchaseOf('motor')),
    controlRequest(controlRouteOf('getClock'), { key }),
    controlRequest(controlRouteOf('resetWorld'), { key }),
    controlRequest(controlRouteOf('listMerchants'), { key: ADMIN_TOKEN }),
    controlRequest(controlRouteOf('resetAll'), { key: ADMIN_TOKEN }),
  ]) {
    const answer = await readAnswer(await engine.fetch(request));
    checkProblem(answer);
    expect(answer.status).toBe(503);
    expect(answer.body.detail).toMatch(
      /^(Merchant 3: )?What is kept of this World was written by version 0\.1\.0, in a format that this one does not read; deploy that version again to go on with it\.$/,
    );
  }
  expect(await engine.stored()).toEqual(former);

  expect((await adminCall(engine, 'removeMerchant', { id })).status).toBe(204);
  expect((await client.control('getClock')).status).toBe(401);
  await buy(await mint(engine), 'motor');
});

test('a World that had not begun under version 0.1.0 begins with its first call', async () => {
  const engine = await ownEngine({ SANDBOX_DEMO: '1', SANDBOX_NOW: '', SANDBOX_FREEZE: '' });
  await mint(engine);
  const list = "UPDATE merchants SET record = json_remove(record, '$.since')";
  await engine.stored({ MerchantsObject: list });
  const before = Date.now();
  const demo = remoteClient(engine, 1, 'sk_sandbox_demo');
  const begun = Date.parse((await demo.control('getClock')).body.now);
  await engine.restart();
  const now = Date.parse((await demo.control('getClock')).body.now);
  expect(before).toBeLessThanOrEqual(begun);
  expect(begun).toBeLessThan(now);
  expect(now).toBeLessThanOrEqual(Date.now());
});
