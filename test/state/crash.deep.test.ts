import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientOf, everythingOf } from '../support/client.ts';
import { runsOf } from '../support/depth.ts';
import { buy, exampleOf, familyKeys, initiate, purchaseOf, verifyOf } from '../support/requests.ts';
import { playScript } from '../support/script.ts';
import { DEMO, keptOf, linesOf, newStateFile, openKept, revive } from '../support/state.ts';

describe('a sandbox that is killed and started again', () => {
  test('goes on with policies, pending purchases, renewals, refusals and numbering, to the byte', async () => {
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

  test('goes on with whatever the control plane changed, by its methods and calls', async () => {
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
    // A key that was given up opens nothing, not even a World of its own.
    expect(() => again.sandbox.merchant(before)).toThrow('No merchant has the key');
    expect(again.sandbox.createMerchant().apiKey).toBe(sandbox.createMerchant().apiKey);
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
    // What was asked for is written in the background; a program may be killed after it too.
    await expect.poll(() => linesOf(file).log).toHaveLength(1);
    expect(everythingOf((await revive(file)).sandbox)).toEqual(everythingOf(sandbox));
    await buy(client, 'micro_health');
    expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(sandbox));
  });

  test('is what it was after any calls at once, and after it was killed once more', async () => {
    const step = fc.constantFrom(
      'initiate',
      'verify',
      'verify',
      'advance',
      'fault',
      'reset',
      'list',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 4 }),
        async (waves) => {
          const file = newStateFile();
          const { sandbox } = await openKept(file);
          const client = clientOf(sandbox, sandbox.createMerchant());
          const tokens: string[] = [];
          for (const wave of waves) {
            await Promise.allSettled(
              wave.map(async (what, place) => {
                const family = familyKeys[place % familyKeys.length] ?? 'motor';
                if (what === 'initiate') tokens.push(await initiate(client, family));
                if (what === 'verify') {
                  await client.call(verifyOf[family], { token: tokens[place] ?? 'none' });
                }
                if (what === 'list') await client.call('listMotorPolicies');
                if (what === 'advance') client.merchant.clock.advance('PT6M');
                if (what === 'reset' && place === 3) client.merchant.reset();
                if (what === 'fault') {
                  client.merchant.faults.add({
                    stage: place % 2 ? 'before' : 'after',
                    effect: { kind: 'delay', ms: place },
                    probability: 0.7,
                  });
                }
              }),
            );
          }
          const twice = await revive(file);
          expect(keptOf(twice.sandbox)).toEqual(keptOf(sandbox));
          await buy(clientOf(twice.sandbox, twice.sandbox.createMerchant()), 'motor');
          await buy(clientOf(sandbox, sandbox.createMerchant()), 'motor');
          const thrice = await revive(file);
          expect(keptOf(thrice.sandbox)).toEqual(keptOf(twice.sandbox));
        },
      ),
      runsOf({ sample: 8, ci: 40, all: 400 }),
    );
  });
});

describe('a sandbox that is stopped and started again', () => {
  test('has all of it, whatever clients did', async () => {
    const file = newStateFile();
    const { sandbox, stop } = await openKept(file);
    await playScript(sandbox.fetch, DEMO, 300);
    expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(sandbox));
    const before = everythingOf(sandbox);
    await stop();
    expect(everythingOf((await openKept(file)).sandbox)).toEqual(before);
  });

  test('has its journal, its request numbers and its counts of assumptions too', async () => {
    const file = newStateFile();
    const { sandbox, client, stop } = await openKept(file);
    for (const family of familyKeys) await buy(client, family);
    await client.call('initiateMotorPolicy', { ...purchaseOf('motor'), email: 'x' });
    await sandbox.fetch(initiateRequest('nobody'));
    const before = everythingOf(sandbox);
    const last = client.merchant.journal.list({ limit: 1 })[0]?.id;
    await stop();
    const again = await openKept(file);
    expect(everythingOf(again.sandbox)).toEqual(before);
    expect(again.client.merchant.journal.list({ limit: 1 })[0]?.id).toBe(last);
    expect(again.client.merchant.assumptions()).toEqual(client.merchant.assumptions());
    const next = await again.client.call('listMotorPolicies');
    expect(next.headers.get('sandbox-request-id')).toBe('req-1-8');
    expect(last).toBe('req-1-7');
  });
});

const initiateRequest = (
  key: string,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
  changes = {},
): Request =>
  new Request('http://sandbox/api/merchant/comprehensive_motor_initiate_policy', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(purchaseOf('motor', changes)),
    signal,
  });
