import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callOf, PATHS, QUOTE, type Samples } from './calls.ts';
import { type Contender, start } from './commands.ts';
import { fire, requestsOf, startServer } from './loopback.ts';
import { type Effort, type Figure, quantile, ratioOf, runCooperatively } from './measure.ts';
import { fromRoot, LEAST, SANDBOX, startUp } from './start-up.ts';

const PEERS = fromRoot('bench/peers/node_modules');

/**
 * Alternatives to the sandbox, with the closest available response: Prism and Mockoon return the example of a quote from
 * the published document, json-server a page of 15 records.
 */
const peers = (database: string): Readonly<Record<string, Contender>> => ({
  sandbox: SANDBOX,
  Prism: {
    command: (port) => [
      `${PEERS}/@stoplight/prism-cli/dist/index.js`,
      ...['mock', fromRoot('openapi/merchant-api.json'), '-h', '127.0.0.1', '-p', `${port}`],
    ],
    call: callOf(PATHS.quote, QUOTE),
  },
  Mockoon: {
    command: (port) => [
      `${PEERS}/@mockoon/cli/bin/run.js`,
      ...['start', '--data', fromRoot('openapi/merchant-api-3.0.json'), '--port', `${port}`],
      '--disable-log-to-file',
    ],
    call: callOf(PATHS.quote, QUOTE),
  },
  'json-server': {
    command: (port) => [
      `${PEERS}/json-server/lib/cli/bin.js`,
      ...[database, '--port', `${port}`, '--quiet'],
    ],
    call: callOf('/subscriptions?_page=1&_limit=15'),
  },
});

/** Compares start-up and requests per second of the sandbox and its peers with a bare server. */
export async function measurePeers(samples: Samples, { rounds, quick }: Effort): Promise<Figure[]> {
  if (!existsSync(PEERS)) throw new Error('The peers are not installed. Run: npm run bench:peers');
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const database = join(folder, 'db.json');
  const subscriptions = Array.from({ length: 32 }, (_, place) => ({
    ...samples.verify.value.data,
    id: place + 1,
  }));
  writeFileSync(database, JSON.stringify({ subscriptions }));
  const figures: Figure[] = [];
  try {
    const contenders = peers(database);
    figures.push(...(await startUps(contenders, quick ? 3 : rounds)));
    for (const [name, contender] of Object.entries(contenders)) {
      figures.push(await throughput(name, contender, samples, quick ? 3 : rounds));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return figures;
}

async function startUps(
  contenders: Readonly<Record<string, Contender>>,
  rounds: number,
): Promise<Figure[]> {
  const all = Object.entries({ ...contenders, least: LEAST });
  const taken = await runCooperatively(
    rounds,
    Object.fromEntries(all.map(([name, contender]) => [name, () => startUp(contender)])),
  );
  const least = taken.least as number[];
  return Object.keys(contenders).map((name) => ({
    section: 'peers',
    name: `start-up of ${name} ÷ bare node:http`,
    ...ratioOf(taken[name] as number[], least),
    detail: `${quantile(taken[name] as number[], 0).toFixed(0)} ms, bare ${quantile(least, 0).toFixed(0)} ms`,
  }));
}

async function throughput(
  name: string,
  contender: Contender,
  samples: Samples,
  rounds: number,
): Promise<Figure> {
  const page = contender.call.method === 'GET';
  const bare = await startServer('./servers/node.mjs', samples);
  const started = await start(contender);
  try {
    const call = page ? callOf(PATHS.list) : contender.call;
    const runs = {
      peer: () => fire(`http://127.0.0.1:${started.port}`, requestsOf(contender.call), 1),
      bare: () => fire(bare.url, requestsOf(call), 1),
    };
    await runCooperatively(1, runs);
    const taken = await runCooperatively(rounds, runs);
    const speed = (of: keyof typeof taken) => taken[of].map(({ perSecond }) => perSecond);
    return {
      section: 'peers',
      name: `requests per second of ${name} (${page ? 'list page' : 'quote'}) ÷ bare node:http`,
      ...ratioOf(speed('peer'), speed('bare')),
      detail: `${quantile(speed('peer'), 1).toFixed(0)}/s, bare ${quantile(speed('bare'), 1).toFixed(0)}/s`,
    };
  } finally {
    bare.child.disconnect();
    await started.stop();
  }
}
