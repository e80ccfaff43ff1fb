import { fileURLToPath } from 'node:url';
import { callOf, PATHS, QUOTE } from './calls.ts';
import { type Contender, start } from './commands.ts';
import { type Effort, type Figure, inTurns, quantile, ratioOf } from './measure.ts';

/** A file of the project; the benchmarks run from node_modules/.cache/bench. */
export const fromRoot = (path: string) =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const call = callOf(PATHS.quote, QUOTE);

export const SANDBOX: Contender = {
  command: (port) => [fromRoot('bin/micro-insurance-sandbox.cjs'), '--port', `${port}`, '--quiet'],
  call,
};

/** The least that answers a quote. */
export const LEAST: Contender = {
  command: (port) => [fromRoot('bench/servers/least.cjs'), `${port}`],
  call,
};

/** From the start of the process to its first successful answer to a quote, against a bare server. */
export async function measureStartUp({ rounds }: Effort): Promise<Figure[]> {
  const contenders = { ours: () => startUp(SANDBOX), least: () => startUp(LEAST) };
  await inTurns(1, contenders);
  const { ours, least } = await inTurns(rounds * 2, contenders);
  return [
    {
      section: 'start-up',
      name: 'start-up to the first answer ÷ bare node:http',
      ...ratioOf(ours, least),
      detail: `${quantile(ours, 0).toFixed(0)} ms, bare ${quantile(least, 0).toFixed(0)} ms`,
      target: { atMost: 1.6 },
    },
  ];
}

export async function startUp(contender: Contender): Promise<number> {
  const started = await start(contender);
  await started.stop();
  return started.milliseconds;
}
