import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../src/node/index.ts';
import { callOf, PATHS, PURCHASE } from './calls.ts';
import { fire, purchases } from './loopback.ts';
import { type Effort, type Figure, inTurns, quantile, ratioOf } from './measure.ts';

/** What it costs to keep the state, and how fast a log is done again. */
export async function measureState({ rounds, quick }: Effort): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-state-'));
  try {
    return [await measureLog(folder, { rounds, quick }), ...(await measureReplay(folder, quick))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureLog(folder: string, { rounds, quick }: Effort): Promise<Figure> {
  const [kept, without] = [
    await startSandbox({ port: 0, state: join(folder, 'kept.json') }),
    await startSandbox({ port: 0 }),
  ];
  const seconds = quick ? 1 : 2;
  const perSecond = async ({ url }: { readonly url: string }) =>
    (await fire(url, purchases(), seconds)).perSecond;
  const contenders = { kept: () => perSecond(kept), without: () => perSecond(without) };
  await inTurns(1, contenders);
  const speeds = await inTurns(rounds, contenders);
  await kept.close();
  await without.close();
  return {
    section: 'state',
    name: 'initiate + verify with --state ÷ without, requests per second',
    ...ratioOf(speeds.kept, speeds.without),
    detail: `${quantile(speeds.kept, 1).toFixed(0)}, without ${quantile(speeds.without, 1).toFixed(0)}`,
    target: { atLeast: 0.7 },
  };
}

/** Starts on the files of a sandbox that was killed after so many calls. */
async function measureReplay(folder: string, quick: boolean): Promise<Figure[]> {
  const calls = quick ? 4000 : 20_000;
  const file = join(folder, 'killed.json');
  const killed = join(folder, 'again.json');
  const server = await startSandbox({ port: 0, state: file });
  for (let call = 0; call < calls; call += 2) {
    const { fetch } = server.sandbox;
    const { method, path, headers, body } = callOf(PATHS.initiate, PURCHASE);
    const send = (to: string, sent: string) =>
      fetch(new Request(`http://sandbox${to}`, { method, headers, body: sent }));
    const { data } = (await (await send(path, body as string)).json()) as {
      data: { token: string };
    };
    await send(PATHS.verify, JSON.stringify({ token: data.token }));
  }
  for (const end of ['', '.log']) await copyFile(file + end, killed + end);
  const bytes = statSync(`${killed}.log`).size / calls;
  await server.close();
  const start = performance.now();
  const again = await startSandbox({ port: 0, state: killed });
  const seconds = (performance.now() - start) / 1000;
  await again.close();
  return [
    {
      section: 'state',
      name: 'calls of a log done again at a start',
      value: calls / seconds,
      unit: 'per second',
    },
    {
      section: 'state',
      name: 'bytes that initiate and verify write to the log, each',
      value: bytes,
      unit: 'bytes',
    },
  ];
}
