import { statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientOf } from '../support/client.ts';
import { buy, familyKeys, initiate, purchaseOf, verifyOf } from '../support/requests.ts';
import { asKilled, newStateFile, startKept } from '../support/state.ts';
import { ownSystemTime } from '../support/timers.ts';

/** What is left of a sandbox that was killed, started again. */
async function revive(file: string, options = {}) {
  return (await startKept(asKilled(file), options)).sandbox;
}

describe('a sandbox that is killed and started again', () => {
  test('goes on with policies, pending purchases, renewals, refusals and numbering, to the byte', async () => {
    const file = newStateFile();
    const { sandbox } = await startKept(file);
    const client = clientOf(sandbox, sandbox.merchant('sk_sandbox_demo'));
    for (const family of familyKeys) await buy(client, family);
    const token = await initiate(client, 'motor');
    await client.call(verifyOf.motor, { token });
    await client.call(verifyOf.motor, { token });
    await client.call(verifyOf.group_life, { token: 'GLP1' });
    await client.call('initiateMotorPolicy', { ...purchaseOf('motor'), email: 'x' });
    await client.call('initiateMotorPolicy', undefined, { raw: '{' });
    await initiate(client, 'micro_health');

    const again = await revive(file);
    expect(again.dump()).toEqual(sandbox.dump());
    expect(JSON.stringify(again.dump())).toBe(JSON.stringify(sandbox.dump()));
    const next = [sandbox, again].map((each) =>
      buy(clientOf(each, each.merchant('sk_sandbox_demo')), 'motor'),
    );
    const [policy, same] = await Promise.all(next);
    expect(same).toEqual(policy);
  });

  test('goes on with whatever the control plane changed, by its methods and calls', async () => {
    const file = newStateFile();
    const { sandbox } = await startKept(file, { autoMerchants: true });
    const merchant = sandbox.createMerchant({ name: 'Worker 3', records: 'demo', seed: 3 });
    sandbox.createMerchant().remove();
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
    sandbox.merchant('sk_sandbox_demo').reset();
    sandbox.merchant('my-own-key').clock.set({ mode: 'frozen' });

    const again = await revive(file, { autoMerchants: true });
    expect(again.dump()).toEqual(sandbox.dump());
    expect(again.createMerchant().apiKey).toBe(sandbox.createMerchant().apiKey);
  });

  test.each([
    ['a snapshot put back', true],
    ['a whole sandbox loaded', false],
    ['every World reset', undefined],
  ])('goes on with %s', async (_, isSnapshot) => {
    const file = newStateFile();
    const { sandbox } = await startKept(file);
    const merchant = sandbox.merchant('sk_sandbox_demo');
    const client = clientOf(sandbox, merchant);
    const [snapshot, whole] = [merchant.snapshot(), sandbox.dump()];
    await buy(client, 'motor');
    if (isSnapshot) merchant.restore(snapshot);
    else if (isSnapshot === false) sandbox.load(whole);
    else sandbox.resetAll();
    expect((await revive(file)).dump()).toEqual(sandbox.dump());
    // What was asked for is written in the background; a program may be killed after it too.
    await expect.poll(() => statSync(`${file}.log`).size).toBe(0);
    await buy(client, 'micro_health');
    expect((await revive(file)).dump()).toEqual(sandbox.dump());
  });

  test('draws chance for faults from where it was, used up or not', async () => {
    const file = newStateFile();
    const { sandbox } = await startKept(file);
    const merchant = sandbox.merchant('sk_sandbox_demo');
    const client = clientOf(sandbox, merchant);
    merchant.faults.add({
      match: { operation: 'getMotorQuote' },
      stage: 'before',
      effect: { kind: 'respond', status: 500 },
      probability: 0.5,
      times: 20,
    });
    merchant.faults.add({
      match: { operation: 'initiateMotorPolicy' },
      stage: 'after',
      effect: { kind: 'respond', status: 502 },
      probability: 0.3,
      times: 20,
    });
    for (let call = 0; call < 12; call++) {
      await sandbox.fetch(quoteRequest(merchant.apiKey));
      await client.sandbox.fetch(initiateRequest(merchant.apiKey));
    }
    expect((await revive(file)).dump()).toEqual(sandbox.dump());
  });

  test('has what faults let happen, and not what they did not', async () => {
    const file = newStateFile();
    const { sandbox } = await startKept(file);
    const merchant = sandbox.merchant('sk_sandbox_demo');
    const effects = ['drop', 'truncate', 'malformed', 'hang', 'delay', 'respond'] as const;
    const gone = AbortSignal.timeout(40);
    const calls = [];
    for (const stage of ['before', 'after'] as const) {
      for (const kind of effects) {
        const header = { delay: '; ms=5', respond: '; status=503' }[kind as string] ?? '';
        calls.push(
          sandbox.fetch(
            initiateRequest(
              merchant.apiKey,
              { 'sandbox-fault': `${stage}; ${kind}${header}` },
              gone,
            ),
          ),
        );
        merchant.faults.add({
          match: { body: { vehicle_color: `${stage} ${kind}` } },
          stage,
          effect: {
            kind,
            ...(kind === 'delay' && { ms: 5 }),
            ...(kind === 'respond' && { status: 503 }),
          } as never,
        });
        calls.push(
          sandbox.fetch(
            initiateRequest(merchant.apiKey, {}, gone, { vehicle_color: `${stage} ${kind}` }),
          ),
        );
      }
    }
    // One whose client leaves while it waits to be served.
    calls.push(
      sandbox.fetch(
        initiateRequest(merchant.apiKey, { 'sandbox-fault': 'before; delay; ms=5000' }, gone),
      ),
    );
    await Promise.allSettled(calls.map(async (call) => (await call).text()));
    const before = sandbox.dump() as never;
    expect(inOrder((await revive(file)).dump() as never)).toEqual(inOrder(before));
  });

  test('shows with a running clock the moment it would show had it never ended', async () => {
    const systemTime = ownSystemTime();
    const file = newStateFile();
    const { sandbox } = await startKept(file, { clock: 'running' });
    systemTime.pass(60_000);
    const merchant = sandbox.createMerchant({ now: '2030-01-01T00:00:00Z' });
    // Its World is first needed by a look at it, which is in no log.
    const watched = sandbox.createMerchant({ now: '2031-01-01T00:00:00Z' });
    systemTime.pass(1234);
    expect(watched.clock.show().now).toBe('2031-01-01T00:00:01.234Z');
    const client = clientOf(sandbox, merchant);
    await initiate(client, 'motor');
    systemTime.pass(14 * 60_000);
    await initiate(client, 'micro_health');
    systemTime.pass(2 * 60_000);
    const again = await revive(file, { clock: 'running' });
    expect(again.merchants().map((each) => each.clock.show())).toEqual(
      sandbox.merchants().map((each) => each.clock.show()),
    );
    expect(again.dump()).toEqual(sandbox.dump());
  });

  test('remembers expired purchases in the order they expired, however often it was looked at', async () => {
    const systemTime = ownSystemTime();
    const file = newStateFile();
    const { sandbox } = await startKept(file, { clock: 'running' });
    const client = clientOf(sandbox, sandbox.createMerchant());
    for (const family of ['motor', 'micro_health'] as const) {
      await initiate(client, family);
      systemTime.pass(60_000);
    }
    for (const minutes of [13.5, 1]) {
      systemTime.pass(minutes * 60_000);
      await client.call('listMotorPolicies');
    }
    await initiate(client, 'motor');
    const again = await revive(file, { clock: 'running' });
    const expiredOf = (each: typeof sandbox) =>
      (each.merchant(client.merchant.apiKey).snapshot().world as { expired_tokens: unknown[] })
        .expired_tokens;
    expect(expiredOf(sandbox)).toHaveLength(2);
    expect(expiredOf(again)).toEqual(expiredOf(sandbox));
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
          const server = await startKept(file);
          const { sandbox } = server;
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
          const twice = await startKept(asKilled(file));
          expect(inOrder(twice.sandbox.dump() as never)).toEqual(inOrder(sandbox.dump() as never));
          await buy(clientOf(twice.sandbox, twice.sandbox.createMerchant()), 'motor');
          await buy(clientOf(sandbox, sandbox.createMerchant()), 'motor');
          const thrice = await revive(file);
          expect(inOrder(thrice.dump() as never)).toEqual(inOrder(twice.sandbox.dump() as never));
        },
      ),
      { numRuns: 12 },
    );
  });
});

/** A log knows when the rule of a call ran; which of those under way at once ended first, and when, it does not. */
function inOrder(state: {
  sandbox: {
    merchants: { snapshot: { world: { journal: { id: string; duration_ms?: number }[] } } }[];
  };
}) {
  for (const { snapshot } of state.sandbox.merchants) {
    snapshot.world.journal.sort((a, b) => a.id.localeCompare(b.id));
    for (const entry of snapshot.world.journal) delete entry.duration_ms;
  }
  return state;
}

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

const quoteRequest = (key: string): Request =>
  new Request('http://sandbox/api/merchant/get_comprehensive_motor_policy_quote', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ product_id: 4, vehicle_value: 1_000_000 }),
  });
