/* What `--state` costs a purchase, and how fast a log is read back. */

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepState } from '../src/control/stored-worlds.ts';
import { openStateFile } from '../src/node/state-file.ts';
import { startSandbox } from '../src/node.ts';
import { openSandbox } from '../src/sandbox/open-sandbox.ts';
import { readChanges } from '../src/storage/lines.ts';
import { callOf, PATHS, PURCHASE } from './calls.ts';
import { fire, purchases } from './loopback.ts';
import { type Effort, type Figure, quantile, ratioOf, runCooperatively } from './measure.ts';

/** Measures the cost of `--state`, and how fast a log is read. */
export async function measureState(effort: Effort): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-state-'));
  try {
    return [await measureLog(folder, effort), ...(await measureStart(folder, effort))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureLog(folder: string, { rounds, warmUps, load }: Effort): Promise<Figure> {
  const [kept, without] = [
    await startSandbox({ port: 0, state: join(folder, 'kept.json') }),
    await startSandbox({ port: 0 }),
  ];
  const perSecond = async ({ url }: { readonly url: string }) =>
    (await fire(url, purchases(), load)).perSecond;
  const contenders = { kept: () => perSecond(kept), without: () => perSecond(without) };
  await runCooperatively(warmUps, contenders);
  const speeds = await runCooperatively(rounds, contenders);
  await kept.close();
  await without.close();
  return {
    section: 'state',
    name: 'initiate + verify with --state ÷ without, requests per second',
    ...ratioOf(speeds.kept, speeds.without),
    detail: `${quantile(speeds.kept, 1).toFixed(0)}, without ${quantile(speeds.without, 1).toFixed(0)}`,
    target: { atLeast: 0.75 },
  };
}

/** Measures a start with the files of a sandbox that was killed after a number of changes. */
async function measureStart(folder: string, { warmUps, quick }: Effort): Promise<Figure[]> {
  const calls = quick ? 1000 : 100_000;
  const file = join(folder, 'killed.json');
  const [killed, again] = [join(folder, 'killed-then.json'), join(folder, 'again.json')];
  const opened = openSandbox({});
  const files = openStateFile(file);
  // A sandbox would save a checkpoint before the log gets this long.
  const kept = { ...files, maxLogBytes: Number.POSITIVE_INFINITY };
  await keepState(opened.store, kept, (line) => console.warn(line));
  for (let call = 0; call < calls; call += 2) {
    const { fetch } = opened.sandbox;
    const { method, path, headers, body } = callOf(PATHS.initiate, PURCHASE);
    const send = (to: string, sent: string) =>
      fetch(new Request(`http://sandbox${to}`, { method, headers, body: sent }));
    const { data } = (await (await send(path, body as string)).json()) as {
      data: { token: string };
    };
    await send(PATHS.verify, JSON.stringify({ token: data.token }));
  }
  for (const end of ['', '.log']) await copyFile(file + end, killed + end);
  files.close();
  const lines = readFileSync(`${killed}.log`, 'utf8').split('\n').slice(1, -1);
  const contenders = {
    started: async () => {
      for (const end of ['', '.log']) await copyFile(killed + end, again + end);
      return timed(async () => (await startSandbox({ port: 0, state: again })).close);
    },
    read: () =>
      timed(async () => {
        for (const line of lines) readChanges(line);
        return (await startSandbox({ port: 0 })).close;
      }),
  };
  await runCooperatively(warmUps, contenders);
  const seconds = await runCooperatively(quick ? 1 : 7, contenders);
  return [
    {
      section: 'state',
      name: `start with a log of ${lines.length} changes ÷ JSON.parse of it, and an empty start`,
      ...ratioOf(seconds.started, seconds.read),
      detail: `${(quantile(seconds.started, 0) * 1000).toFixed(0)} ms, parsed in ${(quantile(seconds.read, 0) * 1000).toFixed(0)} ms`,
      target: { atMost: 2 },
    },
    {
      section: 'state',
      name: 'bytes in the log per initiate or verify',
      value: statSync(`${killed}.log`).size / calls,
      unit: 'bytes',
    },
  ];
}

/** The seconds that a start takes. */
async function timed(begin: () => Promise<() => Promise<void>>): Promise<number> {
  const since = performance.now();
  const close = await begin();
  const seconds = (performance.now() - since) / 1000;
  await close();
  return seconds;
}
