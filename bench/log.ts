import { callOf, PATHS, QUOTE, type Samples } from './calls.ts';
import { type Run, requestsOf, run, startServer } from './loopback.ts';
import { type Effort, type Figure, quantile, ratioOf, runCooperatively } from './measure.ts';

/** Measures the cost of `--log calls` with a pipe that is read. */
export async function measureLog(
  samples: Samples,
  { rounds, warmUps, load }: Effort,
): Promise<Figure[]> {
  const servers = {
    calls: await startServer('./servers/sandbox.mjs', samples, true),
    off: await startServer('./servers/sandbox.mjs', samples),
  };
  const quotes = requestsOf(callOf(PATHS.quote, QUOTE));
  const contenders = {
    calls: () => run(servers.calls, quotes, load),
    off: () => run(servers.off, quotes, load),
  };
  try {
    await runCooperatively(warmUps, contenders);
    // The difference is small, so more rounds are needed.
    const { calls, off } = await runCooperatively(rounds * 2, contenders);
    const numbers = (of: readonly number[], best: 0 | 1) => quantile(of, best).toFixed(0);
    const [fast, slow] = [speeds(calls), speeds(off)];
    const [costly, cheap] = [times(calls), times(off)];
    return [
      {
        section: 'log',
        name: 'quote with --log calls to a pipe ÷ off, requests per second',
        ...ratioOf(fast, slow),
        detail: `${numbers(fast, 1)}, off ${numbers(slow, 1)}`,
        target: { atLeast: 0.7 },
      },
      {
        section: 'log',
        name: 'quote: processor time off ÷ with --log calls',
        ...ratioOf(cheap, costly),
        detail: `${numbers(costly, 0)} µs, off ${numbers(cheap, 0)} µs`,
      },
    ];
  } finally {
    for (const { child } of Object.values(servers)) child.disconnect();
  }
}

const speeds = (runs: readonly Run[]): number[] => runs.map((run) => run.requestsPerSecond);
const times = (runs: readonly Run[]): number[] => runs.map((run) => run.cpu);
