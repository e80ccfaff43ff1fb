import { rmSync, statSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../node/command.ts';
import { amountOf } from '../support/depth.ts';
import { Caller, fetchSnapshot, piecesOf, putSnapshot } from './http.ts';
import { LARGE_KEY, writeLargeState } from './large-world.ts';
import { inMiB, type Program, start, tell } from './program.ts';

/** How many subscriptions the World has: more than a snapshot may hold that is put back. */
const SUBSCRIPTIONS = amountOf({ sample: 60_000, ci: 60_000, all: 1_000_000 });
/** What a process needs to hold such a World and to take another in its place, in MiB. */
const heapFor = (subscriptions: number): number => 256 + Math.ceil(subscriptions / 180);
const HEAP = heapFor(SUBSCRIPTIONS);
const OTHER_KEY = 'sk_sandbox_demo';

/** The longest that our own work may take in a turn of the event loop. */
const MOST_OWN_MS = 50;

/** Does a step of the test, and tells how long it took. */
async function step<T>(
  name: string,
  program: Program | undefined,
  work: () => Promise<T>,
  bytes?: number,
): Promise<T> {
  await program?.turns();
  const since = performance.now();
  const result = await work();
  const seconds = (performance.now() - since) / 1000;
  const figures = [`${seconds.toFixed(1)} s`];
  if (bytes !== undefined) figures.push(`${(bytes / 1e6 / seconds).toFixed(0)} MB/s`);
  if (program) {
    const { longest, longestOwn, mostOwn, longestPause } = await program.turns();
    figures.push(
      `work in a turn: 99.9 % within ${mostOwn.toFixed(0)} ms, longest ${longestOwn.toFixed(0)} ms`,
      `longest turn ${longest.toFixed(0)} ms, longest collection ${longestPause.toFixed(0)} ms`,
      `RSS ${inMiB(await program.rss())}`,
    );
  }
  tell(name, figures.join('; '));
  return result;
}

test(`a World of ${SUBSCRIPTIONS} subscriptions is saved, restored and fetched in a heap of ${HEAP} MiB`, async () => {
  const file = join(newFolder(), 'state.json');
  onTestFinished(() => rmSync(dirname(file), { recursive: true, force: true }));
  const seconds = await writeLargeState(file, SUBSCRIPTIONS);
  tell('saved by the test', `${seconds.toFixed(1)} s`);
  const stateBytes = statSync(file).size;
  tell('state', `${stateBytes} bytes`);

  const program = await step(
    'started',
    undefined,
    () => start(['--state', file, '--now', '2026-01-31T10:00:00Z', '--freeze'], HEAP),
    stateBytes,
  );
  const { url } = program;
  const heapUsed = await program.heap();
  tell(
    'World',
    `${inMiB(heapUsed)} of heap, ${(heapUsed / stateBytes).toFixed(2)} bytes for each of its document`,
  );
  const caller = new Caller(url);
  const total = async () =>
    (await caller.operate('listMicroHealthSubscriptions', LARGE_KEY)).body.data.total;
  const buy = async () => {
    const { body } = await caller.operate('initiateMicroHealthSubscription', LARGE_KEY);
    const { token } = body.data;
    expect(
      (await caller.operate('verifyMicroHealthSubscription', LARGE_KEY, { token })).status,
    ).toBe(200);
  };

  await step('two pages and a purchase', program, async () => {
    const last = Math.ceil(SUBSCRIPTIONS / 15);
    const page = await caller.operate('listMicroHealthSubscriptions', LARGE_KEY, { page: last });
    expect(page.body.data.data.at(-1).id).toBe(SUBSCRIPTIONS);
    expect(await total()).toBe(SUBSCRIPTIONS);
    await buy();
    expect(await total()).toBe(SUBSCRIPTIONS + 1);
  });

  const snapshot = join(dirname(file), 'snapshot.json');
  await program.heap();
  const before = await program.rss();
  let mostRss = 0;
  const taken = await step(
    'fetched by a slow reader',
    program,
    async () => {
      let isChanged = false;
      return fetchSnapshot(url, LARGE_KEY, snapshot, async () => {
        // What is done while it is read is not in it.
        if (!isChanged) await buy();
        isChanged = true;
        mostRss = Math.max(mostRss, await program.rss());
      });
    },
    stateBytes,
  );
  tell('fetched', `RSS grew by ${inMiB(mostRss - before)}`);
  // A collector that has room lets garbage lie; what is held would be the whole document.
  expect(mostRss - before).toBeLessThan(256 * 2 ** 20 + taken.bytes / 10);

  for (const length of [taken.bytes, undefined]) {
    const reply = await putSnapshot(url, LARGE_KEY, piecesOf(snapshot), length);
    expect(reply.text).toContain('must not be larger than 67108864 bytes');
    expect(reply.status).toBe(413);
  }
  const again = join(dirname(file), 'again.json');
  const atTheStop = await fetchSnapshot(url, LARGE_KEY, again);

  caller.close();
  const ended = await step(
    'stopped, with a save',
    undefined,
    () => program.command.stop(),
    stateBytes,
  );
  expect(ended).toMatchObject({ code: 0, err: '' });
  const second = await step(
    'started again',
    undefined,
    () => start(['--state', file, '--now', '2026-01-31T10:00:00Z', '--freeze'], HEAP),
    stateBytes,
  );
  expect(await fetchSnapshot(second.url, LARGE_KEY, again)).toEqual(atTheStop);
  expect((await second.command.stop()).code).toBe(0);
});

// Only on a machine that does nothing else: CI runs other steps beside it.
test.runIf(amountOf({ sample: 0, ci: 0, all: 1 }))(
  'no work of our own keeps others waiting',
  async () => {
    const subscriptions = Math.min(SUBSCRIPTIONS, 200_000);
    const file = join(newFolder(), 'state.json');
    onTestFinished(() => rmSync(dirname(file), { recursive: true, force: true }));
    await writeLargeState(file, subscriptions);
    // All that V8 does to collect is then in pauses that it tells of.
    const flags = ['--no-incremental-marking'];
    const program = await start(['--state', file], heapFor(subscriptions), flags);
    const snapshot = join(dirname(file), 'snapshot.json');
    // The control plane is made when it is first called.
    await fetchSnapshot(program.url, OTHER_KEY, snapshot);
    await putSnapshot(program.url, OTHER_KEY, piecesOf(snapshot));
    const work = {
      fetched: () => fetchSnapshot(program.url, LARGE_KEY, snapshot),
      // A snapshot that is put back asks for a save, of the large World too.
      saved: async () => {
        const small = `${snapshot}.small`;
        await fetchSnapshot(program.url, OTHER_KEY, small);
        const saved = new Promise((resolve) => {
          const watcher = watch(dirname(file), (_, name) => {
            if (name !== basename(file)) return;
            watcher.close();
            resolve(name);
          });
        });
        await putSnapshot(program.url, OTHER_KEY, piecesOf(small));
        await saved;
      },
    };
    for (const [name, act] of Object.entries(work)) {
      await program.turns();
      await act();
      const { longestOwn, longestPause } = await program.turns();
      tell(
        name,
        `longest work ${longestOwn.toFixed(0)} ms, collection ${longestPause.toFixed(0)} ms`,
      );
      expect.soft(longestOwn, name).toBeLessThan(MOST_OWN_MS);
    }
    expect(await program.command.stop()).toMatchObject({ code: 0, err: '' });
  },
);
