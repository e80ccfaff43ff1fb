/* What a request costs over a socket, compared with bare servers. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { type Call, callOf, PATHS, PURCHASE, QUOTE, type Samples } from './calls.ts';
import {
  type Effort,
  type Figure,
  quantile,
  ratioOf,
  runCooperatively,
  short,
  type Target,
} from './measure.ts';
import type { Start, Usage } from './servers/child.ts';

/** The result of one run against a server. */
export interface Run {
  readonly requestsPerSecond: number;
  /** The server's processor time per request, in microseconds. */
  readonly cpu: number;
  /** The 99th percentile of latency ÷ the median. */
  readonly tail: number;
}

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
}

type Requests = autocannon.Request[];

const CONNECTIONS = 16;

/** Starts a server of `bench/servers` as a separate process. Its log is read and discarded. */
export async function startServer(file: string, samples: Samples, log = false): Promise<Server> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    stdio: ['ignore', log ? 'pipe' : 'inherit', 'inherit', 'ipc'],
  });
  child.stdout?.resume();
  child.send({ samples, log } satisfies Start);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, url: `http://127.0.0.1:${port}` };
}

async function cpuOf({ child }: Server): Promise<number> {
  child.send('usage');
  const [{ cpu }] = (await once(child, 'message')) as [Usage];
  return cpu;
}

export async function run(server: Server, requests: Requests, load: Effort['load']): Promise<Run> {
  const before = await cpuOf(server);
  const { total, perSecond, latencies } = await fire(server.url, requests, load);
  return {
    requestsPerSecond: perSecond,
    cpu: ((await cpuOf(server)) - before) / total,
    tail: quantile(latencies, 0.99) / quantile(latencies, 0.5),
  };
}

interface Fired {
  readonly total: number;
  readonly perSecond: number;
  /** Milliseconds of each request. */
  readonly latencies: readonly number[];
}

/** Sends requests as fast as responses arrive. Fails if any request fails. */
export async function fire(url: string, requests: Requests, load: Effort['load']): Promise<Fired> {
  const latencies: number[] = [];
  const options = {
    url,
    connections: CONNECTIONS,
    ...load,
    // A run ends with a sample only.
    sampleInt: 100,
    requests: requests.map((request) => ({ ...request })),
  };
  const { non2xx, errors, duration, ...result } = await new Promise<autocannon.Result>(
    (resolve, reject) => {
      const instance = autocannon(options, (error, fired) => {
        if (error) reject(error);
        else resolve(fired);
      });
      // autocannon's own summary has whole milliseconds only.
      instance.on('response', (_client, _status, _bytes, milliseconds) => {
        latencies.push(milliseconds);
      });
    },
  );
  if (non2xx > 0 || errors > 0) {
    throw new Error(`${non2xx} responses were refusals, ${errors} requests failed`);
  }
  const { total } = result.requests;
  return { total, perSecond: total / duration, latencies };
}

/** Requests for autocannon, sent with a Content-Length. */
export const requestsOf = (call: Call): Requests => [{ ...call }];

/** Buys a policy: every second request verifies the token from the response before. */
export const purchases = (): Requests => [
  {
    ...callOf(PATHS.initiate, PURCHASE),
    onResponse: (_status, body, context) => {
      Object.assign(context, JSON.parse(body).data);
    },
  },
  {
    ...callOf(PATHS.verify, { token: '' }),
    setupRequest: (request, context) => ({
      ...request,
      body: JSON.stringify({ token: (context as { token?: string }).token }),
    }),
  },
];

/** The servers to compare with, and their names in figures. */
const OTHERS = {
  stack: 'the same stack bare',
  hono: 'bare Hono',
  node: 'bare node:http',
  silent: 'journal off',
} as const;

type Other = keyof typeof OTHERS;

/** A request with its targets. */
interface Measured {
  readonly requests: Requests;
  /** Requests per second ÷ those of another. */
  readonly speed?: Partial<Record<Other, Target>>;
  /** Processor time of another ÷ ours. */
  readonly cpu?: Partial<Record<Other, Target>>;
  /** The 99th percentile of latency ÷ the median. */
  readonly tail?: Target;
}

/** Compares requests over loopback with bare servers that return the same bytes. */
export async function measureLoopback(
  { samples, policyNo }: { samples: Samples; policyNo: string },
  { rounds, warmUps, load }: Effort,
): Promise<Figure[]> {
  const servers = {
    ours: await startServer('./servers/sandbox.mjs', samples),
    stack: await startServer('./servers/stack.mjs', samples),
    hono: await startServer('./servers/hono.mjs', samples),
    node: await startServer('./servers/node.mjs', samples),
    silent: await startServer('./without-journal/sandbox.mjs', samples),
  };
  const calls: Readonly<Record<string, Measured>> = {
    quote: {
      requests: requestsOf(callOf(PATHS.quote, QUOTE)),
      cpu: { stack: { atLeast: 0.9 } },
    },
    'list page': {
      requests: requestsOf(callOf(PATHS.list)),
      speed: { hono: { atLeast: 1.2 }, silent: { atLeast: 0.9 } },
      tail: { atMost: 3.5 },
    },
    'look-up': {
      requests: requestsOf(callOf(`${PATHS.lookUp}/${policyNo}`)),
      cpu: { stack: { atLeast: 0.8 } },
    },
    'initiate + verify': { requests: purchases(), cpu: { stack: { atLeast: 0.7 } } },
  };
  try {
    const figures: Figure[] = [];
    for (const [name, call] of Object.entries(calls)) {
      const contenders = Object.fromEntries(
        Object.entries(servers).map(([of, server]) => [of, () => run(server, call.requests, load)]),
      ) as Record<keyof typeof servers, () => Promise<Run>>;
      await runCooperatively(warmUps, contenders);
      figures.push(...figuresOf(name, call, await runCooperatively(rounds, contenders)));
    }
    return figures;
  } finally {
    for (const { child } of Object.values(servers)) child.disconnect();
  }
}

function figuresOf(
  name: string,
  { speed = {}, cpu = {}, tail }: Measured,
  runs: Readonly<Record<Other | 'ours', readonly Run[]>>,
): Figure[] {
  const section = 'loopback';
  const speeds = (of: Other | 'ours') => runs[of].map((run) => run.requestsPerSecond);
  const times = (of: Other | 'ours') => runs[of].map((run) => run.cpu);
  const best = (of: Other | 'ours') =>
    `${quantile(speeds(of), 1).toFixed(0)}/s, ${quantile(times(of), 0).toFixed(0)} µs`;
  const figures = (Object.entries(OTHERS) as [Other, string][]).map(([other, words]): Figure => {
    const bySpeed = ratioOf(speeds('ours'), speeds(other));
    const byTime = ratioOf(times(other), times('ours'));
    const numbers = `${best('ours')}; ${best(other)}`;
    if (cpu[other]) {
      return {
        section,
        name: `${name}: processor time of ${words} ÷ ours`,
        ...byTime,
        detail: `${numbers}; by requests per second ${short(bySpeed.value)}`,
        target: cpu[other],
      };
    }
    return {
      section,
      name: `${name} ÷ ${words}`,
      ...bySpeed,
      detail: `${numbers}; by processor time ${short(byTime.value)}`,
      ...(speed[other] && { target: speed[other] }),
    };
  });
  const tails = (of: Other | 'ours') => runs[of].map((run) => run.tail);
  return [
    ...figures,
    {
      section,
      name: `${name}: p99 latency ÷ median`,
      value: quantile(tails('ours'), 0.5),
      spread: [quantile(tails('ours'), 0.25), quantile(tails('ours'), 0.75)],
      detail: `bare Hono ${short(quantile(tails('hono'), 0.5))}, bare node:http ${short(quantile(tails('node'), 0.5))}`,
      ...(tail && { target: tail }),
    },
  ];
}
