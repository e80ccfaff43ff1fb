import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { type Call, callOf, PATHS, PURCHASE, QUOTE, type Samples } from './calls.ts';
import {
  type Effort,
  type Figure,
  inTurns,
  quantile,
  ratioOf,
  short,
  type Target,
} from './measure.ts';
import type { Usage } from './servers/child.ts';

/** What one run of calls took of a server. */
interface Run {
  readonly requestsPerSecond: number;
  /** Microseconds of the server's processor time for each request. */
  readonly cpu: number;
}

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
}

type Requests = autocannon.Request[];

const CONNECTIONS = 16;

/** Starts a server of `bench/servers` as a process of its own. */
export async function startServer(file: string, samples: Samples): Promise<Server> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { stdio: 'inherit' });
  child.send({ samples });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, url: `http://127.0.0.1:${port}` };
}

async function cpuOf({ child }: Server): Promise<number> {
  child.send('usage');
  const [{ cpu }] = (await once(child, 'message')) as [Usage];
  return cpu;
}

async function load(server: Server, requests: Requests, seconds: number): Promise<Run> {
  const before = await cpuOf(server);
  const { total, perSecond } = await fire(server.url, requests, seconds);
  return { requestsPerSecond: perSecond, cpu: ((await cpuOf(server)) - before) / total };
}

/** Sends requests as fast as they are answered, and holds that every one succeeds. */
export async function fire(
  url: string,
  requests: Requests,
  seconds: number,
): Promise<{ total: number; perSecond: number }> {
  const { non2xx, errors, duration, ...result } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: requests.map((request) => ({ ...request })),
  });
  if (non2xx > 0 || errors > 0) {
    throw new Error(`${non2xx} answers were no success, ${errors} calls failed`);
  }
  const { total } = result.requests;
  return { total, perSecond: total / duration };
}

/** Requests for autocannon. A call is sent with a length, as clients do that know their body. */
export const requestsOf = (call: Call): Requests => [{ ...call }];

/** Buys a policy: every second call verifies the token that the one before it was answered. */
const purchases = (): Requests => [
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

/** Requests over loopback, against bare servers that answer the same bytes. */
export async function measureLoopback(
  { samples, policyNo }: { samples: Samples; policyNo: string },
  { rounds, quick }: Effort,
): Promise<Figure[]> {
  const servers = {
    ours: await startServer('./servers/sandbox.mjs', samples),
    hono: await startServer('./servers/hono.mjs', samples),
    node: await startServer('./servers/node.mjs', samples),
    silent: await startServer('./without-journal/sandbox.mjs', samples),
  };
  const calls: Record<string, { requests: Requests; targets: Record<string, Target> }> = {
    quote: {
      requests: requestsOf(callOf(PATHS.quote, QUOTE)),
      targets: { node: { atLeast: 0.75 }, hono: { atLeast: 0.85 }, silent: { atLeast: 0.95 } },
    },
    'list page': {
      requests: requestsOf(callOf(PATHS.list)),
      targets: { hono: { atLeast: 0.9 } },
    },
    'look-up': { requests: requestsOf(callOf(`${PATHS.lookUp}/${policyNo}`)), targets: {} },
    'initiate + verify': { requests: purchases(), targets: { hono: { atLeast: 0.8 } } },
  };
  const against = { hono: 'bare Hono', node: 'bare node:http', silent: 'journal off' } as const;
  const figures: Figure[] = [];
  try {
    for (const [name, { requests, targets }] of Object.entries(calls)) {
      const seconds = quick ? 1 : 2;
      const contenders = {
        ours: () => load(servers.ours, requests, seconds),
        hono: () => load(servers.hono, requests, seconds),
        node: () => load(servers.node, requests, seconds),
        silent: () => load(servers.silent, requests, seconds),
      };
      await inTurns(2, contenders);
      const runs = await inTurns(rounds, contenders);
      const cpu = (of: keyof typeof runs) => runs[of].map((run) => run.cpu);
      const speed = (of: keyof typeof runs) => runs[of].map((run) => run.requestsPerSecond);
      const best = (of: keyof typeof runs) =>
        `${quantile(speed(of), 1).toFixed(0)}/s, ${quantile(cpu(of), 0).toFixed(0)} µs`;
      for (const [other, label] of Object.entries(against) as [keyof typeof against, string][]) {
        const target = targets[other];
        figures.push({
          section: 'loopback',
          name: `${name} ÷ ${label}`,
          ...ratioOf(speed('ours'), speed(other)),
          detail: `${best('ours')}; ${best(other)}; by processor time ${short(ratioOf(cpu(other), cpu('ours')).value)}`,
          ...(target && { target }),
        });
      }
    }
  } finally {
    for (const { child } of Object.values(servers)) child.disconnect();
  }
  return figures;
}
