import { describe, expect, test } from 'vitest';
import { MAX_GIVEN_NUMBER } from '../../src/products/record-validation.ts';
import { BASE, clientOf, everythingOf, operationOf, requestOf } from '../support/client.ts';
import { buy, exampleOf, familyKeys, initiate, purchaseOf, verifyOf } from '../support/requests.ts';
import { playScript } from '../support/script.ts';
import { DEMO, keptOf, linesOf, newStateFile, openKept, revive } from '../support/state.ts';

describe('a sandbox that is killed and started again', () => {
  test('has the same policies, pending purchases, renewals, refusals and numbering, to the byte', async () => {
    const file = newStateFile();
    const { sandbox, client } = await openKept(file);
    for (const family of familyKeys) await buy(client, family);
    const token = await initiate(client, 'motor');
    await client.call(verifyOf.motor, { token });
    await client.call(verifyOf.motor, { token });
    await client.call(verifyOf.group_life, { token: 'GLP1' });
    await client.call('initiateMotorPolicy', { ...purchaseOf('motor'), email: 'x' });
    await client.call('initiateMotorPolicy', undefined, { raw: '{' });
    const { policy_no } = await buy(client, 'micro_health');
    await client.call(
      'topUpMicroHealthSubscription',
      exampleOf('topUpMicroHealthSubscription', { policy_no }),
    );
    const pending = await initiate(client, 'micro_health');

    const again = await revive(file);
    expect(JSON.stringify(keptOf(again.sandbox))).toBe(JSON.stringify(keptOf(sandbox)));
    for (const next of familyKeys) {
      const [policy, same] = [await buy(client, next), await buy(again.client, next)];
      expect(same).toEqual(policy);
    }
    for (const each of [client, again.client]) {
      expect((await each.call(verifyOf.micro_health, { token: pending })).status).toBe(200);
    }
    expect(keptOf(again.sandbox)).toEqual(keptOf(sandbox));
  });

  test('has everything that methods and control calls changed', async () => {
    const file = newStateFile();
    const { sandbox } = await openKept(file, { autoMerchants: true });
    const merchant = sandbox.createMerchant({ name: 'Worker 3', records: 'demo', seed: 3 });
    sandbox.createMerchant().remove();
    const before = merchant.apiKey;
    merchant.rotateKey();
    sandbox.merchant('my-own-key').clock.set({ mode: 'running' });
    merchant.clock.advance('P1M');
    merchant.clock.set({ now: '2026-03-01T00:00:00Z' });
    expect(() => merchant.clock.set({ now: '2020-01-01T00:00:00Z' })).toThrow();
    const fault = merchant.faults.add({ stage: 'before', effect: { kind: 'drop' }, times: 3 });
    merchant.faults.add({ stage: 'after', effect: { kind: 'hang' }, probability: 0.5 });
    merchant.faults.remove(fault.id);
    const client = clientOf(sandbox, sandbox.merchant('sk_sandbox_other'));
    await buy(client, 'motor');
    client.merchant.journal.clear();
    sandbox.merchant(DEMO).reset();
    sandbox.merchant('my-own-key').clock.set({ mode: 'frozen' });

    const again = await revive(file, { autoMerchants: true });
    expect(keptOf(again.sandbox)).toEqual(keptOf(sandbox));
    // A rotated key opens nothing, not even a new World.
    expect(() => again.sandbox.merchant(before)).toThrow('No merchant has the key');
    expect(again.sandbox.createMerchant().apiKey).toBe(sandbox.createMerchant().apiKey);
  });

  test('has the uses of a fault that its answered calls had, in the lines of these calls', async () => {
    const file = newStateFile();
    const { client } = await openKept(file);
    const token = await initiate(client, 'motor');
    const fault = { stage: 'after', effect: { kind: 'malformed' } } as const;
    client.merchant.faults.add({ ...fault, probability: 0.5, times: 50 });
    client.merchant.faults.add(fault);
    const lines = linesOf(file).log.length;
    await client.sandbox.fetch(
      requestOf(operationOf('verifyMotorPolicy'), BASE, client.merchant.apiKey, { token }),
    );
    const added = linesOf(file).log.slice(lines);
    expect(added).toHaveLength(1);
    expect(added[0]).toContain('"motor.policies"');
    expect(added[0]).toContain('"fault_random"');
    expect(added[0]).toContain('["faults",');
  });

  test('has the time that a fault let pass, in the line of its call', async () => {
    const file = newStateFile();
    const { client, sandbox } = await openKept(file);
    await initiate(client, 'micro_health');
    client.merchant.faults.add({
      match: { operation: 'initiateMotorPolicy' },
      stage: 'before',
      effect: { kind: 'advance', by: 'PT20M' },
      skip: 1,
    });
    await initiate(client, 'motor');
    expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(sandbox));
    const lines = linesOf(file).log.length;
    await initiate(client, 'motor');
    const added = linesOf(file).log.slice(lines);
    expect(added).toHaveLength(1);
    for (const table of ['"clock"', '"expired"', '"motor.pending"', '["faults",']) {
      expect(added[0]).toContain(table);
    }
    const again = await revive(file);
    expect(keptOf(again.sandbox)).toEqual(keptOf(sandbox));
    expect(again.client.merchant.clock.show().now).toBe('2026-01-31T10:20:00.000Z');
  });

  test.each(['a snapshot put back', 'every World reset'])('goes on with %s', async (what) => {
    const file = newStateFile();
    const { sandbox, client } = await openKept(file);
    const { merchant } = client;
    const snapshot = merchant.snapshot();
    await buy(client, 'motor');
    if (what === 'a snapshot put back') merchant.restore(snapshot);
    else sandbox.resetAll();
    expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(sandbox));
    // The checkpoint is written in the background, and the kill may come after it.
    await expect.poll(() => linesOf(file).log).toHaveLength(1);
    expect(everythingOf((await revive(file)).sandbox)).toEqual(everythingOf(sandbox));
    await buy(client, 'micro_health');
    expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(sandbox));
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a document of many forms
type Any = any;

describe('a World whose numbers are as high as they may be goes on, and starts again', () => {
  test('after a snapshot', async () => {
    const file = newStateFile();
    const { sandbox, client } = await openKept(file);
    const { merchant } = client;
    const { policy_no } = await buy(client, 'micro_health');
    merchant.clock.advance('PT1M');
    const { version, world } = merchant.snapshot();
    const { values, sequences, assumed, ...tables }: Any = structuredClone(world);
    const highest = (counts: object) =>
      Object.fromEntries(Object.keys(counts).map((name) => [name, MAX_GIVEN_NUMBER]));
    tables['micro_health.policies'].at(-1).subscriptions.subscriptions_no = MAX_GIVEN_NUMBER;
    Object.assign(values, { requests: MAX_GIVEN_NUMBER, steps: MAX_GIVEN_NUMBER });
    tables.journal.at(-1).id = MAX_GIVEN_NUMBER;
    const counts = { sequences: highest(sequences), assumed: highest(assumed) };
    merchant.restore({ version, world: { ...tables, values, ...counts } });
    for (const family of familyKeys) await buy(client, family);
    merchant.clock.advance('PT1M');
    const renewal = exampleOf('topUpMicroHealthSubscription', { policy_no });
    expect((await client.call('topUpMicroHealthSubscription', renewal)).status).toBe(200);
    expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(sandbox));
  });
});

describe('a sandbox that is stopped and started again', () => {
  test('has everything, whatever clients did', async () => {
    const file = newStateFile();
    const { sandbox, stop } = await openKept(file);
    await playScript(sandbox.fetch, DEMO, 300);
    expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(sandbox));
    const before = everythingOf(sandbox);
    await stop();
    expect(everythingOf((await openKept(file)).sandbox)).toEqual(before);
  });
});
