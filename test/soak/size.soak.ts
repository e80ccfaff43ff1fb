import { createHash } from 'node:crypto';
import { createReadStream, rmSync, statSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../node/command.ts';
import { amountOf } from '../support/depth.ts';
import { Caller, fetchSnapshot, piecesOf, putSnapshot } from './http.ts';
import { LARGE_KEY, writeLargeState } from './large-world.ts';
import { inMiB, type Program, start, tell } from './program.ts';

/** More subscriptions than a snapshot may have that is restored. */
const SUBSCRIPTIONS = 60_000;
/** The MiB that a process needs to hold such a World and replace it with another. */
const heapFor = (subscriptions: number): number => 256 + Math.ceil(subscriptions / 180);
const HEAP = heapFor(SUBSCRIPTIONS);
const OTHER_KEY = 'sk_sandbox_demo';

/** The maximum work of our own in a turn of the event loop. */
const MOST_OWN_MS = 50;

const HISTORY = ',"history":';
/** Where each call and the World itself stand in the history. */
const STEPS = /,"before":\{[^}]*\}|,"steps":\d+/g;
const MAX_STEPS_LENGTH = 100;

/** The digest of a snapshot without its history, which ends with the program. The history is the last table. */
async function keptDigest(file: string): Promise<string> {
  const hash = createHash('sha256');
  let rest = '';
  for await (const piece of createReadStream(file, 'utf8')) {
    rest = (rest + piece).replace(STEPS, '');
    const end = rest.indexOf(HISTORY);
    const whole = rest.slice(0, end === -1 ? -MAX_STEPS_LENGTH : end);
    hash.update(whole);
    if (end !== -1) break;
    rest = rest.slice(whole.length);
  }
  return hash.digest('hex');
}

/** Runs a step of the test, and prints its time. */
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

test(`a World of ${SUBSCRIPTIONS} subscriptions fits in a heap of ${HEAP} MiB`, async () => {
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
        // The snapshot does not include a purchase during the download.
        if (!isChanged) await buy();
        isChanged = true;
        mostRss = Math.max(mostRss, await program.rss());
      });
    },
    stateBytes,
  );
  tell('fetched', `RSS grew by ${inMiB(mostRss - before)}`);
  // Garbage may accumulate while there is room, but the whole document must not be in memory.
  expect(mostRss - before).toBeLessThan(256 * 2 ** 20 + taken.bytes / 10);

  for (const length of [taken.bytes, undefined]) {
    const reply = await putSnapshot(url, LARGE_KEY, piecesOf(snapshot), length);
    expect(reply.text).toContain('must not be larger than 64 MiB');
    expect(reply.status).toBe(413);
  }
  const again = join(dirname(file), 'again.json');
  await fetchSnapshot(url, LARGE_KEY, again);
  const atTheStop = await keptDigest(again);

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
  await fetchSnapshot(second.url, LARGE_KEY, again);
  expect(await keptDigest(again), 'the World is as it was at the stop').toBe(atTheStop);
  expect((await second.command.stop()).code).toBe(0);
});

// Requires an idle machine: CI runs other steps at the same time.
test.runIf(amountOf({ sample: 0, ci: 0, all: 1 }))(
  'a save does not block the event loop',
  async () => {
    const subscriptions = 200_000;
    const file = join(newFolder(), 'state.json');
    onTestFinished(() => rmSync(dirname(file), { recursive: true, force: true }));
    await writeLargeState(file, subscriptions);
    // Without it, V8 collects garbage outside of the pauses that it reports.
    const flags = ['--no-incremental-marking'];
    const program = await start(['--state', file], heapFor(subscriptions), flags);
    const snapshot = join(dirname(file), 'snapshot.json');
    // The first requests create the control plane.
    await fetchSnapshot(program.url, OTHER_KEY, snapshot);
    await putSnapshot(program.url, OTHER_KEY, piecesOf(snapshot));
    const saved = new Promise((resolve) => {
      const watcher = watch(dirname(file), (_, name) => {
        if (name !== basename(file)) return;
        watcher.close();
        resolve(name);
      });
    });
    await program.turns();
    // A restored snapshot causes a save, which includes the large World.
    await putSnapshot(program.url, OTHER_KEY, piecesOf(snapshot));
    await saved;
    const { longestOwn, longestPause } = await program.turns();
    tell(
      'saved',
      `longest work ${longestOwn.toFixed(0)} ms, collection ${longestPause.toFixed(0)} ms`,
    );
    expect(longestOwn).toBeLessThan(MOST_OWN_MS);
    expect(await program.command.stop()).toMatchObject({ code: 0, err: '' });
  },
);
