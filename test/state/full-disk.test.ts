import { describe, expect, test } from 'vitest';
import type { FaultStage } from '../../src/world/fault-kinds.ts';
import {
  BASE,
  everythingOf,
  operationOf,
  operations,
  readAnswer,
  requestOf,
} from '../support/client.ts';
import { control } from '../support/control.ts';
import { acceptedInput, buy, exampleOf, initiate } from '../support/requests.ts';
import { keptOf, newStateFile, openFiles, openKeptOver, revive } from '../support/state.ts';

/** A sandbox whose disk can become full. */
async function openOnDisk(options = {}) {
  const disk = { isFull: false, failures: 0 };
  const files = openFiles(newStateFile());
  const isRefused = () => disk.isFull || (disk.failures > 0 && disk.failures-- > 0);
  const needSpace = () => {
    if (isRefused()) throw new Error('there is no space left to write it');
  };
  const kept = await openKeptOver(
    {
      ...files,
      append(text) {
        needSpace();
        files.append(text);
      },
      tryAppend() {
        needSpace();
        files.tryAppend();
      },
      async replaceFile(pieces) {
        needSpace();
        await files.replaceFile(pieces);
      },
    },
    options,
  );
  return { ...kept, disk, file: files.file };
}

const ready = async ({ fetch }: Awaited<ReturnType<typeof openOnDisk>>['sandbox']) =>
  (await fetch(new Request(`${BASE}/readyz`))).status;

describe('when a change cannot be saved', () => {
  const writing = operations.filter(({ readOnly }) => !readOnly);

  test.each(writing.map(({ operationId }) => operationId))(
    '%s is 507 in its own envelope, with nothing done, and works again after',
    async (operationId) => {
      const { disk, client, sandbox } = await openOnDisk();
      const { merchant } = client;
      const request = [operationOf(operationId), BASE, merchant.apiKey] as const;
      const input = await acceptedInput(client, operationId);
      const send = () => sandbox.fetch(requestOf(...request, input));
      const before = keptOf(sandbox);
      disk.isFull = true;
      const refused = await send();
      expect(refused.status).toBe(507);
      const body = await refused.json();
      expect(body).toMatchObject({ success: false });
      expect(JSON.stringify(body)).toContain('could not be saved, so it was not made');
      expect(keptOf(sandbox)).toEqual(before);
      expect(await ready(sandbox)).toBe(503);
      expect(merchant.journal.list({ limit: 1 })[0]?.status).toBe(507);
      disk.isFull = false;
      expect(await ready(sandbox)).toBe(200);
      expect((await send()).status).toBe(200);
    },
  );

  test('a change refused with 507 is not made by a later start', async () => {
    const { disk, client, file } = await openOnDisk();
    await buy(client, 'motor');
    // There is space again after the call.
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
    await buy(client, 'group_life');
    const again = await revive(file);
    expect(again.client.merchant.show().counts.pending).toBe(0);
    expect(keptOf(again.sandbox)).toEqual(keptOf(client.sandbox));
  });

  test('control-plane requests and methods fail with 507 and change nothing', async () => {
    const { disk, client, sandbox } = await openOnDisk();
    const { merchant } = client;
    const token = await initiate(client, 'motor');
    const snapshot = merchant.snapshot();
    const before = everythingOf(sandbox);
    disk.isFull = true;
    const key = merchant.apiKey;
    const fault = { stage: 'before', effect: { kind: 'drop' } } as const;
    for (const answer of [
      await control(sandbox, 'setClock', { key, body: { mode: 'running' } }),
      await control(sandbox, 'advanceClock', { key, body: { by: 'PT20M' } }),
      await control(sandbox, 'addFault', { key, body: fault }),
      await control(sandbox, 'putSnapshot', { key, body: snapshot }),
      await control(sandbox, 'resetWorld', { key }),
      await control(sandbox, 'createMerchant', {}),
      await control(sandbox, 'removeMerchant', { id: merchant.id }),
      await control(sandbox, 'rotateKey', { id: merchant.id }),
      await control(sandbox, 'resetAll', {}),
    ]) {
      expect(answer.status, answer.text).toBe(507);
    }
    for (const change of [
      () => merchant.clock.set({ mode: 'running' }),
      () => merchant.clock.advance('PT20M'),
      () => merchant.faults.add(fault),
      () => merchant.restore(snapshot),
      () => merchant.reset(),
      () => merchant.rotateKey(),
      () => merchant.remove(),
      () => sandbox.createMerchant(),
      () => sandbox.resetAll(),
    ]) {
      expect(change).toThrow(expect.objectContaining({ name: 'ControlError', status: 507 }));
    }
    expect(everythingOf(sandbox)).toEqual(before);
    disk.isFull = false;
    expect((await client.call('verifyMotorPolicy', { token })).status).toBe(200);
  });

  describe.each<FaultStage>(['before', 'after'])(
    'a fault rule that acts %s the service',
    (stage) => {
      const effects = [
        { kind: 'respond', status: 503 },
        { kind: 'drop' },
        { kind: 'hang' },
      ] as const;

      test.each(effects)('is not used up by a call that is 507: %o', async (effect) => {
        const { disk, client, sandbox } = await openOnDisk();
        const { merchant } = client;
        const token = await initiate(client, 'motor');
        merchant.faults.add({ stage, effect, times: 2 });
        merchant.faults.add({ stage, effect, times: 2, probability: 0.5 });
        const before = keptOf(sandbox);
        disk.isFull = true;
        const headers = { authorization: `Bearer ${merchant.apiKey}` };
        for (const answer of [
          await client.call('verifyMotorPolicy', { token }),
          await client.call('verifyMotorPolicy', { token: 'unknown' }),
          await client.call('verifyMotorPolicy', {}),
          await client.call('verifyMotorPolicy', {}, { method: 'DELETE' }),
          await client.call('listMotorPolicies'),
          await readAnswer(await sandbox.fetch('/nowhere', { headers })),
        ]) {
          expect(answer.status).toBe(507);
          expect(answer.headers.has('sandbox-fault')).toBe(false);
          expect(answer.body.success).toBe(false);
        }
        expect(keptOf(sandbox)).toEqual(before);
        expect(merchant.journal.list({ limit: 6 })).toMatchObject(
          Array.from({ length: 6 }, () => ({ status: 507, fault: null })),
        );
      });
    },
  );

  test.each(['rule', 'header'])(
    'no time passes for a call with such a fault in a %s',
    async (form) => {
      const { disk, client, sandbox } = await openOnDisk();
      const { merchant } = client;
      const token = await initiate(client, 'motor');
      const effect = { kind: 'advance', by: 'PT20M' } as const;
      if (form === 'rule') merchant.faults.add({ stage: 'before', effect });
      const init =
        form === 'rule' ? {} : { headers: { 'sandbox-fault': 'before; advance; by=PT20M' } };
      const before = keptOf(sandbox);
      disk.isFull = true;
      for (const send of [
        () => client.call('verifyMotorPolicy', { token }, init),
        () => client.call('verifyMotorPolicy', {}, init),
        () => client.call('listMotorPolicies', {}, init),
        () => client.call('verifyMotorPolicy', {}, { ...init, method: 'DELETE' }),
      ]) {
        const answer = await send();
        expect([answer.status, answer.headers.has('sandbox-fault')]).toEqual([507, false]);
      }
      expect(merchant.journal.list()[0]).toMatchObject({
        status: 507,
        duration_ms: 0,
        fault: null,
      });
      expect(keptOf(sandbox)).toEqual(before);
      disk.isFull = false;
      expect((await client.call('verifyMotorPolicy', { token })).status).toBe(
        form === 'rule' ? 400 : 200,
      );
    },
  );

  test.each(['after; respond; status=503', 'after; drop'])(
    'a call with the fault "%s" in its header is 507',
    async (fault) => {
      const { disk, client, sandbox } = await openOnDisk();
      const token = await initiate(client, 'motor');
      const before = keptOf(sandbox);
      disk.isFull = true;
      const headers = { 'sandbox-fault': fault };
      expect((await client.call('verifyMotorPolicy', { token }, { headers })).status).toBe(507);
      expect(keptOf(sandbox)).toEqual(before);
    },
  );

  test('an unknown key opens nothing', async () => {
    const { disk, sandbox } = await openOnDisk({ autoMerchants: true });
    const merchants = sandbox.merchants().length;
    disk.isFull = true;
    const list = operationOf('listMotorPolicies');
    const unknown = await sandbox.fetch(requestOf(list, BASE, 'somebody'));
    expect(unknown.status).toBe(507);
    expect(unknown.headers.get('sandbox-request-id')).toBe('req-0-1');
    const clock = await control(sandbox, 'getClock', { key: 'somebody' });
    expect([clock.status, clock.body.detail]).toEqual([
      507,
      expect.stringContaining('could not be saved, so it was not made'),
    ]);
    const tool = await sandbox.fetch('/_sandbox/mcp', {
      method: 'POST',
      headers: { authorization: 'Bearer somebody', 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    expect([tool.status, await tool.json()]).toEqual([507, clock.body]);
    expect(() => sandbox.merchant('somebody')).toThrow(
      expect.objectContaining({ name: 'ControlError', status: 507 }),
    );
    expect(sandbox.merchants()).toHaveLength(merchants);
    disk.isFull = false;
    expect((await sandbox.fetch(requestOf(list, BASE, 'somebody'))).status).toBe(200);
  });

  test('a background save warns, and is tried again after many more changes', async () => {
    const { disk, client, sandbox, file, warned, stop } = await openOnDisk();
    await buy(client, 'motor');
    // There is space for a line but not for the file.
    sandbox.resetAll();
    disk.isFull = true;
    await expect.poll(() => warned).toHaveLength(1);
    expect(warned[0]).toBe(
      'could not save a checkpoint; the file and its log are complete: there is no space left to write it',
    );
    expect(await ready(sandbox)).toBe(200);
    await expect(stop()).rejects.toThrow(warned[0]);
    disk.isFull = false;
    await buy(client, 'motor');
    expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(sandbox));
  });
});
