import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../node/command.ts';
import { Caller, putSnapshot, readReply } from './http.ts';
import { LARGE_KEY, largeSnapshot, writeLargeState } from './large-world.ts';
import { inMiB, launch, start, tell } from './program.ts';

/** About how many bytes a document has for each subscription. */
const BYTES_EACH = 1475;
/** How many subscriptions the World has that is there already. */
const FEW = 20_000;

const newStateFile = (): string => {
  const file = join(newFolder(), 'state.json');
  onTestFinished(() => rmSync(dirname(file), { recursive: true, force: true }));
  return file;
};

async function startWithFew(heap: number) {
  const file = newStateFile();
  await writeLargeState(file, FEW);
  const program = await start(['--state', file], heap);
  const caller = new Caller(program.url);
  onTestFinished(() => caller.close());
  const total = async () =>
    (await caller.operate('listMicroHealthSubscriptions', LARGE_KEY)).body.data.total;
  return { ...program, total };
}

/** The answer to a snapshot of which only the length is sent. */
async function announce(url: string, length: number) {
  const message = request(`${url}/_sandbox/snapshot`, {
    agent: false,
    method: 'PUT',
    headers: {
      authorization: `Bearer ${LARGE_KEY}`,
      'content-type': 'application/json',
      'content-length': length,
    },
  });
  message.flushHeaders();
  const [response] = await once(message, 'response');
  const reply = await readReply(response);
  message.destroy();
  return reply;
}

const TOO_LARGE = /must not be larger than (\d+) bytes, for which there is memory/;

function expectTooLarge(reply: Awaited<ReturnType<typeof announce>>): number {
  expect(reply.body).toMatchObject({
    type: 'about:blank',
    title: 'Content Too Large',
    status: 413,
  });
  expect(reply.status).toBe(413);
  const [, limit] = TOO_LARGE.exec(reply.body.detail) ?? [];
  expect(limit).toBeDefined();
  return Number(limit);
}

test('a small heap refuses a snapshot that would not fit, and goes on', async () => {
  const { url, total, command } = await startWithFew(256);
  const limit = expectTooLarge(await announce(url, 2 ** 30));
  tell('256 MiB of heap', `documents of up to ${inMiB(limit)} beside ${FEW} subscriptions`);
  const tooMany = Math.ceil((3 * limit) / BYTES_EACH);
  expectTooLarge(await putSnapshot(url, LARGE_KEY, largeSnapshot(tooMany)));
  expectTooLarge(await putSnapshot(url, LARGE_KEY, largeSnapshot(tooMany), tooMany * BYTES_EACH));
  expectTooLarge(await putSnapshot(url, LARGE_KEY, emptyObjects()));
  expect(await total()).toBe(FEW);
  const fitting = Math.floor((0.9 * limit) / BYTES_EACH);
  expect((await putSnapshot(url, LARGE_KEY, largeSnapshot(fitting))).status).toBe(200);
  expect(await total()).toBe(fitting);
  expect(await command.stop()).toMatchObject({ code: 0, err: '' });
});

/** What takes the most memory of all documents, without an end. */
async function* emptyObjects(): AsyncGenerator<string, void> {
  yield '{"version":1,"world":{"x":[{}';
  for (;;) yield ',{}'.repeat(20_000);
}

test('what is taken fits, and nothing ends in an overflow of the heap', async () => {
  const { url, total, command } = await startWithFew(512);
  const limit = expectTooLarge(await announce(url, 2 ** 30));
  const answers = new Set<number>();
  for (const share of [0.8, 0.95, 1.05, 1.3]) {
    const subscriptions = Math.floor((share * limit) / BYTES_EACH);
    const since = performance.now();
    const reply = await putSnapshot(url, LARGE_KEY, largeSnapshot(subscriptions));
    const seconds = (performance.now() - since) / 1000;
    tell(`${share} of the limit`, `answered ${reply.status} in ${seconds.toFixed(1)} s`);
    if (reply.status === 200) expect(await total()).toBe(subscriptions);
    else expectTooLarge(reply);
    answers.add(reply.status);
    // What is there already counts too: the next is beside as few as this one was.
    expect((await putSnapshot(url, LARGE_KEY, largeSnapshot(FEW))).status).toBe(200);
  }
  expect(answers).toContain(200);
  expect((await command.stop()).code).toBe(0);
});

test('a state too large for the heap is refused at the start in one line', async () => {
  const file = newStateFile();
  for (const subscriptions of [60_000, 100_000, 120_000, 140_000, 200_000]) {
    await writeLargeState(file, subscriptions);
    const command = launch(['--state', file], 256);
    const outcome = await command.started().then(
      async () => ({ ...(await command.stop()), isStarted: true }),
      async () => ({ ...(await command.ended), isStarted: false }),
    );
    tell(`${subscriptions} subscriptions in 256 MiB`, outcome.isStarted ? 'started' : 'refused');
    if (outcome.isStarted) expect(outcome).toMatchObject({ code: 0, err: '' });
    else {
      expect(outcome.code).toBe(2);
      expect(outcome.err).toMatch(
        /^micro-insurance-sandbox: .*state\.json: there is no memory for its \d+ bytes; .*--max-old-space-size.*\n$/,
      );
    }
    if (subscriptions === 60_000) expect(outcome.isStarted).toBe(true);
    if (subscriptions === 200_000) expect(outcome.isStarted).toBe(false);
  }
});
