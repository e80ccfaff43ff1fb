import { statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Merchant, Sandbox } from '../../src/index.ts';
import { TOKEN_MINUTES } from '../../src/world/limits.ts';
import { type Client, clientOf, everythingOf } from '../support/client.ts';
import { runsOf } from '../support/depth.ts';
import { buy, exampleOf, familyKeys, initiate, verifyOf } from '../support/requests.ts';
import {
  filesInMemory,
  type Kept,
  keptOf,
  linesOf,
  type MemoryFiles,
  newStateFile,
  openFiles,
  openKept,
  openKeptOver,
  revive,
} from '../support/state.ts';
import { ownSystemTime } from '../support/timers.ts';

/** The remains of a sandbox that is killed now. */
const killed = (files: MemoryFiles): Promise<Kept> => openKeptOver(files.copy());

const save = ({ store }: Kept, files: MemoryFiles): Promise<void> => {
  const { cutLog } = files;
  const done = new Promise<void>((resolve) => {
    files.cutLog = async (...args) => {
      files.cutLog = cutLog;
      await cutLog(...args);
      resolve();
    };
  });
  store.storage?.requestSave();
  return done;
};

describe('a change during a checkpoint', () => {
  interface Step {
    readonly what: keyof typeof STEPS;
    /** The merchant that is changed. */
    readonly who: number;
    /** How many lines of the checkpoint are written before. */
    readonly after: number;
  }
  interface Situation {
    readonly sandbox: Sandbox;
    readonly client: Client;
    readonly who: number;
    readonly tokens: Map<string, (typeof familyKeys)[number]>;
    readonly snapshots: ReturnType<Merchant['snapshot']>[];
  }
  const STEPS = {
    async begin({ client, who, tokens }: Situation) {
      const family = familyKeys[who % familyKeys.length] ?? 'motor';
      tokens.set(await initiate(client, family), family);
    },
    async complete({ client, tokens }: Situation) {
      for (const [token, family] of [...tokens].slice(-2)) {
        await client.call(verifyOf[family], { token });
      }
    },
    buy: ({ client, who }: Situation) =>
      buy(client, familyKeys[who % familyKeys.length] ?? 'motor'),
    async renew({ client }: Situation) {
      const { policy_no } = await buy(client, 'micro_health');
      await client.call(
        'topUpMicroHealthSubscription',
        exampleOf('topUpMicroHealthSubscription', { policy_no }),
      );
    },
    look: ({ client }: Situation) => client.call('listMotorPolicies'),
    advance: ({ client }: Situation) => client.merchant.clock.advance('PT6M'),
    freeze: ({ client }: Situation) => client.merchant.clock.set({ mode: 'frozen' }),
    reset: ({ client }: Situation) => client.merchant.reset(),
    resetAll: ({ sandbox }: Situation) => sandbox.resetAll(),
    create: ({ sandbox, who }: Situation) =>
      sandbox.createMerchant({ records: who % 2 ? 'demo' : 'none' }),
    remove: ({ client, sandbox }: Situation) => {
      if (sandbox.merchants().length > 1) client.merchant.remove();
    },
    rotate: ({ client }: Situation) => client.merchant.rotateKey(),
    take: ({ client, snapshots }: Situation) => snapshots.push(client.merchant.snapshot()),
    putBack: ({ client, snapshots, who }: Situation) => {
      const snapshot = snapshots[who % Math.max(1, snapshots.length)];
      if (snapshot) client.merchant.restore(snapshot);
    },
    break: ({ client, who }: Situation) =>
      client.merchant.faults.add({
        match: { operation: 'getMotorQuote' },
        stage: 'before',
        effect: { kind: 'respond', status: 503 },
        times: (who % 3) + 1,
        probability: who % 2 ? 1 : 0.5,
      }),
    useUp: ({ client }: Situation) =>
      client.sandbox.fetch(
        new Request('http://sandbox/api/merchant/get_comprehensive_motor_policy_quote', {
          method: 'POST',
          headers: {
            authorization: `Bearer ${client.merchant.apiKey}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ product_id: 4, vehicle_value: 1_000_000 }),
        }),
      ),
  };
  const step: fc.Arbitrary<Step> = fc.record({
    what: fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])),
    who: fc.nat({ max: 7 }),
    after: fc.nat({ max: 25 }),
  });

  test('survives a kill at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, isLast) => {
        const files = filesInMemory();
        const kept = await openKeptOver(files);
        const { sandbox } = kept;
        const extra = sandbox.createMerchant();
        const situation = {
          sandbox,
          tokens: new Map(),
          snapshots: [kept.client.merchant.snapshot()],
        };
        await buy(clientOf(sandbox, extra), 'motor');
        const kills: [MemoryFiles, ReturnType<typeof keptOf>][] = [];
        const left = [...steps];
        let lines = 0;
        files.meanwhile = async () => {
          lines += 1;
          while (left[0] && lines >= left[0].after) {
            const { what, who } = left.shift() as Step;
            lines = 0;
            const merchants = sandbox.merchants();
            const merchant = merchants[who % merchants.length] as Merchant;
            await STEPS[what]({ ...situation, who, client: clientOf(sandbox, merchant) });
            kills.push([files.copy(), keptOf(sandbox)]);
          }
        };
        const { cutLog } = files;
        files.cutLog = async (...args) => {
          kills.push([files.copy(), keptOf(sandbox)]);
          await cutLog(...args);
          kills.push([files.copy(), keptOf(sandbox)]);
        };
        if (isLast) await kept.stop();
        else {
          await save(kept, files);
          sandbox.createMerchant();
          kills.push([files.copy(), keptOf(sandbox)]);
          await kept.stop();
        }
        for (const [copy, state] of kills.slice(-8)) {
          const again = await openKeptOver(copy);
          expect(again.warned).toEqual([]);
          expect(keptOf(again.sandbox)).toEqual(state);
        }
      }),
      runsOf({ sample: 5, ci: 15, all: 300 }),
    );
  });
});

describe('a checkpoint', () => {
  test('at a stop leaves an empty log, even if reads expired purchases before it', async () => {
    const systemTime = ownSystemTime();
    const files = filesInMemory();
    const { client, stop } = await openKeptOver(files, { clock: 'running' });
    const token = await initiate(client, 'motor');
    systemTime.pass(TOKEN_MINUTES * 60_000);
    await client.call('listMotorPolicies');
    await stop();
    expect(files.size('log')).toBe(0);
    const again = await killed(files);
    const { body, headers } = await again.client.call(verifyOf.motor, { token });
    expect(body).toMatchObject({ response_message: 'Token has expired' });
    expect(headers.get('sandbox-request-id')).toBe('req-1-3');
  });

  test('is written once when the log outgrows FILE, while calls continue', async () => {
    const file = newStateFile();
    const files = openFiles(file);
    let saves = 0;
    const { client, sandbox } = await openKeptOver({
      ...files,
      maxLogBytes: 100_000,
      async replaceFile(pieces) {
        saves += 1;
        await files.replaceFile(pieces);
      },
    });
    const before = statSync(file).ino;
    const color = 'x'.repeat(900);
    while (saves === 1) await initiate(client, 'motor', { vehicle_color: color });
    for (let call = 0; call < 5; call++) await initiate(client, 'motor');
    await expect.poll(() => statSync(file).ino).not.toBe(before);
    expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(sandbox));
    await expect.poll(() => statSync(`${file}.log`).size).toBeLessThan(50_000);
    expect(keptOf((await revive(file)).sandbox)).toEqual(keptOf(sandbox));
    await buy(client, 'motor');
    expect(saves).toBe(2);
  });

  test('contains journal and counts as of its start', async () => {
    const file = newStateFile();
    const { client, sandbox } = await openKept(file);
    await buy(client, 'motor');
    client.merchant.restore(client.merchant.snapshot());
    const before = everythingOf(sandbox);
    await expect.poll(() => linesOf(file).log).toHaveLength(1);
    await client.call('listMotorPolicies');
    expect(everythingOf((await revive(file)).sandbox)).toEqual(before);
  });
});
