import { statSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { restoreWorld } from '../../src/control/snapshot.ts';
import { openStateFile } from '../../src/node/state-file.ts';
import { openSandbox } from '../../src/open-sandbox.ts';
import { keepState } from '../../src/state/keep.ts';
import type { StatePlace } from '../../src/state/place.ts';
import { clientOf } from '../support/client.ts';
import { buy } from '../support/requests.ts';
import { asKilled, newStateFile, startKept } from '../support/state.ts';
import { ownSystemTime } from '../support/timers.ts';

const OPTIONS = { now: '2026-01-31T10:00:00Z', clock: 'running', seed: 7 } as const;
const DEMO = 'sk_sandbox_demo';

/** A sandbox that keeps its state in a file, some of whose work is done otherwise. */
async function keepIn(file: string, otherwise: (place: StatePlace) => Partial<StatePlace>) {
  const opened = openSandbox(OPTIONS);
  const place = openStateFile(file);
  onTestFinished(() => place.close());
  const kept = await keepState(opened, { ...place, ...otherwise(place) }, () => undefined);
  const merchant = opened.sandbox.merchant(DEMO);
  return { ...opened, kept, place, client: clientOf(opened.sandbox, merchant) };
}

describe('a log that is folded into its file', () => {
  test('is whole between the new file and the shorter log, with its clocks as they are', async () => {
    const systemTime = ownSystemTime();
    const file = newStateFile();
    const killed: string[] = [];
    const { sandbox, client } = await keepIn(file, ({ cutLog }) => ({
      async cutLog(...args) {
        killed.push(asKilled(file));
        await cutLog(...args);
      },
    }));
    killed.length = 0;
    systemTime.pass(60_000);
    client.merchant.clock.advance('P1D');
    sandbox.resetAll();
    await buy(client, 'motor');
    await expect.poll(() => killed).toHaveLength(1);
    systemTime.pass(1234);
    const again = await startKept(killed[0] as string, OPTIONS);
    expect(again.sandbox.dump()).toEqual(sandbox.dump());
  });

  test('keeps the parts of a document whose change is still to come', async () => {
    ownSystemTime();
    const file = newStateFile();
    const killed: string[] = [];
    const { sandbox, store, client } = await keepIn(file, ({ cutLog }) => ({
      async cutLog(...args) {
        await cutLog(...args);
        killed.push(asKilled(file));
      },
    }));
    await buy(client, 'motor');
    const snapshot = client.merchant.snapshot();
    const account = store.byKey.get(DEMO);
    if (!account) throw new Error('There is no demo merchant');
    const restoring = restoreWorld(store, account, JSON.parse(JSON.stringify(snapshot)));
    const before = statSync(`${file}.log`).size;
    while (statSync(`${file}.log`).size < before + 1000) restoring.next();
    sandbox.resetAll();
    // Time for a save that would not wait for the change.
    await buy(client, 'group_life');
    while (!restoring.next().done);
    await buy(client, 'micro_health');
    const again = await startKept(asKilled(file), OPTIONS);
    expect(again.sandbox.dump()).toEqual(sandbox.dump());
    await expect.poll(() => statSync(`${file}.log`).size).toBeLessThan(before);
    for (const copy of killed) await startKept(copy, OPTIONS);
  });

  test('ends without the document that was still being written down', async () => {
    ownSystemTime();
    const file = newStateFile();
    const { sandbox, store, client, kept, place } = await keepIn(file, () => ({}));
    await buy(client, 'motor');
    const account = store.byKey.get(DEMO);
    if (!account) throw new Error('There is no demo merchant');
    const fresh = JSON.parse(JSON.stringify(client.merchant.snapshot()));
    await buy(client, 'motor');
    const before = statSync(`${file}.log`).size;
    const restoring = restoreWorld(store, account, fresh);
    while (statSync(`${file}.log`).size < before + 1000) restoring.next();
    await kept.end();
    expect(() => {
      while (!restoring.next().done);
    }).toThrow('The sandbox is closing.');
    const again = await startKept(asKilled(file), OPTIONS);
    expect(again.sandbox.dump()).toEqual(sandbox.dump());
    place.close();
    expect(() => client.merchant.clock.advance('P1D')).toThrow('is closed');
  });
});
