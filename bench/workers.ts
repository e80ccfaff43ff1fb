/* What a hosted sandbox costs in Cloudflare's local engine: quotes, stored rows and restarts. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { provide } from '../scripts/needs.mjs';
import { takeSnapshot } from '../src/control/snapshot.ts';
import { callOf, PATHS, PURCHASE, QUOTE } from './calls.ts';
import { fillMerchant, openSandbox } from './filled-world.ts';
import { fire } from './loopback.ts';
import { type Effort, type Figure, quantile, ratioOf, runCooperatively } from './measure.ts';

const TOOLS = resolve('test/workers/engine');
const ADMIN = 'admin';
/** Longer than an object waits before it writes its journal. */
const WRITTEN_MS = 1_500;

/** The parts of Cloudflare's local engine that are used. */
interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}

/** Objects that count their writes and report them on request, and that handle one request without any work. */
const COUNTING = `
import worker, { MerchantsObject, WorldObject as Counted } from './workers.js';
export { MerchantsObject };
export default worker;
const written = { rows: 0, bytes: 0 };
function count(storage) {
  const { sql } = storage;
  const exec = sql.exec.bind(sql);
  sql.exec = (query, ...values) => {
    const cursor = exec(query, ...values);
    if (!/^(INSERT|DELETE|CREATE)/.test(query)) return cursor;
    written.rows += cursor.rowsWritten;
    for (const value of values) written.bytes += typeof value === 'string' ? value.length : 0;
    return cursor;
  };
  const put = storage.put.bind(storage);
  storage.put = (...values) => {
    written.rows += 1;
    return put(...values);
  };
}
export class WorldObject extends Counted {
  constructor(ctx, env) {
    count(ctx.storage);
    super(ctx, env);
  }
  fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/bare') return Response.json({ quote_price: 400 });
    return pathname === '/written' ? Response.json(written) : super.fetch(request);
  }
}
`;

interface Engine {
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Sends a request and returns its JSON. */
  call(path: string, input?: unknown, key?: string, method?: string): Promise<unknown>;
  url(): string;
}

async function startEngine(folder: string): Promise<Engine> {
  const { Miniflare } = createRequire(`${TOOLS}/`)('miniflare');
  const object = (className: string) => ({ className, useSQLite: true });
  const start = async (): Promise<[Miniflare, string]> => {
    const miniflare: Miniflare = new Miniflare({
      modules: [
        { type: 'ESModule', path: 'counting.js', contents: COUNTING },
        {
          type: 'ESModule',
          path: 'workers.js',
          contents: await readFile('dist/workers.js', 'utf8'),
        },
      ],
      modulesRoot: '/',
      compatibilityDate: '2026-04-26',
      durableObjects: { WORLDS: object('WorldObject'), MERCHANTS: object('MerchantsObject') },
      durableObjectsPersist: folder,
      bindings: { SANDBOX_ADMIN_TOKEN: ADMIN, SANDBOX_NOW: '2026-01-31T10:00:00Z' },
      port: 0,
      cf: false,
      telemetry: { enabled: false },
    });
    return [miniflare, (await miniflare.ready).origin];
  };
  let [miniflare, url] = await start();
  return {
    url: () => url,
    stop: () => miniflare.dispose(),
    async restart() {
      await miniflare.dispose();
      [miniflare, url] = await start();
      // The first request loads the program.
      await fetch(`${url}/livez`);
    },
    async call(path, input, key = ADMIN, method = input === undefined ? 'GET' : 'POST') {
      const { headers, body } = callOf(path, input, key);
      // An idle connection may have been closed.
      const response = await fetch(url + path, {
        method,
        headers: { ...headers, connection: 'close' },
        ...(body !== undefined && { body }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    },
  };
}

/** Measures the writes of a World in an object, and its restart. */
export async function measureWorkers(effort: Effort): Promise<Figure[]> {
  const { quick } = effort;
  await provide('engine');
  const folder = await mkdtemp(join(tmpdir(), 'bench-workers-'));
  const engine = await startEngine(folder);
  try {
    return [
      ...(await measureSpeed(engine, effort)),
      ...(await measureWrites(engine)),
      ...(await measureWaking(engine, quick)),
    ];
  } finally {
    await engine.stop();
    await rm(folder, { recursive: true });
  }
}

async function newKey({ call }: Pick<Engine, 'call'>): Promise<{ id: number; api_key: string }> {
  return (await call('/_sandbox/merchants', {})) as { id: number; api_key: string };
}

/** Compares quotes with one key and with eight with the engine's own cost. */
async function measureSpeed(engine: Engine, { rounds, load, warmUps }: Effort): Promise<Figure[]> {
  const keys = await Promise.all(Array.from({ length: 8 }, () => newKey(engine)));
  const figures: Figure[] = [];
  for (const count of [1, 8]) {
    const perSecond = (path: string, input?: unknown) => async () => {
      const requests = keys.slice(0, count).map(({ api_key }) => callOf(path, input, api_key));
      return (await fire(engine.url(), requests, load)).perSecond;
    };
    const contenders = { quote: perSecond(PATHS.quote, QUOTE), bare: perSecond('/bare') };
    await runCooperatively(warmUps, contenders);
    const speeds = await runCooperatively(rounds, contenders);
    figures.push({
      section: 'workers',
      name: `quotes of ${count === 1 ? 'one key' : `${count} keys`} ÷ objects that do nothing, in the local engine`,
      ...ratioOf(speeds.quote, speeds.bare),
      detail: `${quantile(speeds.quote, 1).toFixed(0)}/s, nothing ${quantile(speeds.bare, 1).toFixed(0)}/s`,
    });
  }
  return figures;
}

async function measureWrites({ call }: Pick<Engine, 'call'>): Promise<Figure[]> {
  const { api_key: key } = await newKey({ call });
  const written = async () =>
    (await call('/written', undefined, key)) as { rows: number; bytes: number };
  const calls = 50;
  /** Measures the writes of a number of requests. */
  const during = async (name: string, make: (number: number) => Promise<unknown>) => {
    const before = await written();
    for (let number = 0; number < calls; number++) await make(number);
    await rest();
    const after = await written();
    return {
      section: 'workers',
      name: `rows that ${name} writes`,
      value: (after.rows - before.rows) / calls,
      unit: 'rows',
      detail: `${Math.round((after.bytes - before.bytes) / calls)} bytes`,
    };
  };
  const tokens: string[] = [];
  // The first request also writes the initial state of the World.
  await call(PATHS.quote, QUOTE, key);
  await rest();
  return [
    await during('an initiate', async (number) => {
      const answer = await call(PATHS.initiate, PURCHASE, key);
      tokens[number] = (answer as { data: { token: string } }).data.token;
    }),
    await during('a verify', (number) => call(PATHS.verify, { token: tokens[number] }, key)),
    await during('a quote', () => call(PATHS.quote, QUOTE, key)),
    await during('a move of the clock', () => call('/_sandbox/clock/advance', { by: 'PT1S' }, key)),
  ];
}

const rest = () => new Promise<void>((done) => void setTimeout(done, WRITTEN_MS));

/** The time of the first request to a World after a restart. */
async function firstCall({ call }: Engine, key: string): Promise<number> {
  const start = performance.now();
  await call('/_sandbox/clock', undefined, key);
  return performance.now() - start;
}

/** Restarts the engine repeatedly, so that the objects load their stored state. */
async function measureWaking(engine: Engine, quick: boolean): Promise<Figure[]> {
  const { api_key: empty } = await newKey(engine);
  const filled = [];
  for (const policies of [1_000, 20_000]) {
    const { id, api_key } = await newKey(engine);
    const snapshot = takeSnapshot(fillMerchant(openSandbox(), policies).world) as unknown as {
      world: { values: { merchant_id: number } };
    };
    snapshot.world.values.merchant_id = id;
    await engine.call('/_sandbox/snapshot', snapshot, api_key, 'PUT');
    filled.push({ policies, key: api_key, times: [] as number[] });
  }
  const nothing: number[] = [];
  for (let round = 0; round < (quick ? 3 : 7); round++) {
    await engine.restart();
    nothing.push(await firstCall(engine, empty));
    for (const { key, times } of filled) times.push(await firstCall(engine, key));
  }
  return filled.map(({ policies, times }) => ({
    section: 'workers',
    name: `first call to a restarted object with ${policies.toLocaleString('en')} policies ÷ with none`,
    value: quantile(times, 0.5) / quantile(nothing, 0.5),
    detail: `${quantile(times, 0.5).toFixed(0)} ms, with none ${quantile(nothing, 0.5).toFixed(0)} ms`,
  }));
}
