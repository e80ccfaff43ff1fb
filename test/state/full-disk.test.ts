import { describe, expect, onTestFinished, test } from 'vitest';
import { openStateFile } from '../../src/node/state-file.ts';
import { openSandbox } from '../../src/open-sandbox.ts';
import { keepState } from '../../src/state/keep.ts';
import { BASE, clientOf, operationOf, operations, requestOf, START } from '../support/client.ts';
import { control } from '../support/control.ts';
import { buy, exampleOf, initiate } from '../support/requests.ts';
import { asKilled, newStateFile, startKept } from '../support/state.ts';

/** A sandbox whose disk can be full. */
async function startOnDisk(options = {}) {
  const disk = { isFull: false, failures: 0 };
  const opened = openSandbox({ now: START, clock: 'frozen', ...options });
  const file = openStateFile(newStateFile());
  const isRefused = () => disk.isFull || (disk.failures > 0 && disk.failures-- > 0);
  const whenSpace =
    <Args extends unknown[]>(write: (...args: Args) => void) =>
    (...args: Args) => {
      if (isRefused()) throw new Error('there is no space left to write it');
      write(...args);
    };
  await keepState(
    opened,
    { ...file, append: whenSpace(file.append), tryAppend: whenSpace(file.tryAppend) },
    () => undefined,
  );
  onTestFinished(() => file.close());
  const { sandbox } = opened;
  const client = clientOf(sandbox, sandbox.merchant('sk_sandbox_demo'));
  return { disk, client, file: file.file };
}

const ready = async ({ fetch }: Pick<ReturnType<typeof clientOf>['sandbox'], 'fetch'>) =>
  (await fetch(new Request(`${BASE}/readyz`))).status;

describe('where a change can not be written down', () => {
  const writing = operations.filter(({ readOnly }) => !readOnly);

  test.each(writing.map(({ operationId }) => operationId))(
    '%s is 507 in its own envelope, with nothing done, and works again after',
    async (operationId) => {
      const { disk, client } = await startOnDisk();
      await buy(client, 'micro_health');
      const { sandbox, merchant } = client;
      const operation = writing.find((each) => each.operationId === operationId);
      if (!operation) throw new Error(operationId);
      const send = () =>
        sandbox.fetch(requestOf(operation, BASE, merchant.apiKey, exampleOf(operationId)));
      const records = () => (merchant.snapshot().world as { families: unknown }).families;
      const before = records();
      disk.isFull = true;
      const refused = await send();
      expect(refused.status).toBe(507);
      const body = await refused.json();
      expect(body).toMatchObject({ success: false });
      expect(JSON.stringify(body)).toContain("can't be kept, so it was not made");
      expect(records()).toEqual(before);
      expect(await ready(sandbox)).toBe(503);
      expect(merchant.journal.list({ limit: 1 })[0]?.status).toBe(507);
      disk.isFull = false;
      expect(await ready(sandbox)).toBe(200);
      expect((await send()).status).not.toBe(507);
    },
  );

  test('what was answered 507 is not done by a later start either', async () => {
    const { disk, client, file } = await startOnDisk();
    await buy(client, 'motor');
    // The one write that fails is the one before the rule: there is space again when the call ends.
    disk.failures = 1;
    const answer = await client.sandbox.fetch(
      requestOf(
        operationOf('initiateMotorPolicy'),
        BASE,
        client.merchant.apiKey,
        exampleOf('initiateMotorPolicy'),
      ),
    );
    expect(answer.status).toBe(507);
    const again = await startKept(asKilled(file), { seed: 1 });
    const counts = again.sandbox.merchant('sk_sandbox_demo').show().counts;
    expect(counts.pending).toBe(client.merchant.show().counts.pending);
  });

  test('what only reads is answered', async () => {
    const { disk, client } = await startOnDisk();
    disk.isFull = true;
    expect((await client.call('listMotorPolicies')).status).toBe(200);
    expect((await client.call('getMotorQuote', exampleOf('getMotorQuote'))).status).toBe(200);
  });

  test('a change of the control plane is 507, by its call and its method, with nothing done', async () => {
    const { disk, client } = await startOnDisk();
    const { sandbox, merchant } = client;
    const token = await initiate(client, 'motor');
    const snapshot = merchant.snapshot();
    const before = sandbox.dump();
    disk.isFull = true;
    const key = merchant.apiKey;
    const fault = { stage: 'before', effect: { kind: 'drop' } } as const;
    for (const answer of [
      await control(sandbox, 'advanceClock', { key, body: { by: 'PT20M' } }),
      await control(sandbox, 'addFault', { key, body: fault }),
      await control(sandbox, 'putSnapshot', { key, body: snapshot }),
      await control(sandbox, 'resetWorld', { key }),
      await control(sandbox, 'createMerchant', {}),
      await control(sandbox, 'resetAll', {}),
    ]) {
      expect(answer.status, answer.text).toBe(507);
    }
    for (const change of [
      () => merchant.clock.advance('PT20M'),
      () => merchant.faults.add(fault),
      () => merchant.restore(snapshot),
      () => merchant.reset(),
      () => merchant.rotateKey(),
      () => merchant.remove(),
      () => sandbox.createMerchant(),
      () => sandbox.load(before),
    ]) {
      expect(change).toThrow(expect.objectContaining({ name: 'ControlError', status: 507 }));
    }
    expect(sandbox.dump()).toEqual(before);
    disk.isFull = false;
    expect((await client.call('verifyMotorPolicy', { token })).status).toBe(200);
  });

  test('a fault is not used up, and an unknown key opens nothing', async () => {
    const { disk, client } = await startOnDisk({ autoMerchants: true });
    const { sandbox, merchant } = client;
    merchant.faults.add({ stage: 'after', effect: { kind: 'respond', status: 418 } });
    disk.isFull = true;
    expect((await client.call('listMotorPolicies')).status).toBe(507);
    expect(merchant.faults.list()).toHaveLength(1);
    const list = operations.find(({ operationId }) => operationId === 'listMotorPolicies');
    const unknown = await sandbox.fetch(requestOf(list as never, BASE, 'somebody'));
    expect(unknown.status).toBe(507);
    expect(unknown.headers.get('sandbox-request-id')).toBe('req-0-1');
    expect(sandbox.merchants()).toHaveLength(2);
    disk.isFull = false;
    expect((await sandbox.fetch(requestOf(list as never, BASE, 'somebody'))).status).toBe(200);
  });
});
