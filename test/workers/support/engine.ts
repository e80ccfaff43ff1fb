import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { BASE, type Fetcher, START } from '../../support/client.ts';
import { TOOLS } from './deployment.ts';

/** The engine of Cloudflare on this machine, running what a deployment of the example uploads. */
export interface Engine extends Fetcher {
  /** Where it listens: elsewhere after each start. */
  readonly url: string;
  /** Kills its process, which can finish nothing, and starts it again: every object wakes from what it stored. */
  restart(): Promise<void>;
}

/** What is used of the local engine. */
interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}

const { Miniflare, Log, LogLevel } = createRequire(`${TOOLS}/`)('miniflare');

export const ADMIN_TOKEN = 'admin-token';

/** As the sandboxes of other tests are. */
const VARS = {
  SANDBOX_ADMIN_TOKEN: ADMIN_TOKEN,
  SANDBOX_NOW: START,
  SANDBOX_FREEZE: '1',
  SANDBOX_SEED: '7',
  SANDBOX_PUBLIC_URL: BASE,
};

/**
 * Starts an engine for the tests of a file, which takes a second; each of them mints its own merchants. It keeps what
 * it stores in a folder of its own.
 *
 * @param program what it runs in the place of the deployment's `./worker.js`, which it may import
 */
export async function startEngine(
  vars: Readonly<Record<string, string>> = {},
  program?: string,
): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-engine-'));
  const options = await optionsOf(folder, { ...VARS, ...vars }, program);
  let miniflare: Miniflare = new Miniflare(options);
  let url = await miniflare.ready;
  afterAll(async () => {
    await miniflare.dispose();
    await rm(folder, { recursive: true });
  });
  return {
    get url() {
      return url.origin;
    },
    fetch: (request) => send(request, url.origin),
    async restart() {
      await miniflare.dispose();
      miniflare = new Miniflare(options);
      url = await miniflare.ready;
    },
  };
}

/** The same request to the server at another address, its body whole, as clients send it. */
export async function send(request: Request, url: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { method, signal } = request;
  const headers = new Headers(request.headers);
  // Engines compress what they send to whoever takes that.
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
  // The engine closes a connection that stood idle, perhaps just when it is used again.
  headers.set('connection', 'close');
  const body = request.body === null ? {} : { body: await request.arrayBuffer() };
  return fetch(url + pathname + search, {
    method,
    headers,
    signal,
    redirect: 'manual',
    ...body,
  });
}

async function optionsOf(folder: string, vars: object, program?: string): Promise<object> {
  const { script, options } = inject('deployment');
  const modulesRoot = dirname(script);
  const modules = [{ type: 'ESModule', path: script, contents: await readFile(script, 'utf8') }];
  if (program !== undefined) {
    modules.unshift({ type: 'ESModule', path: join(modulesRoot, 'program.js'), contents: program });
  }
  return {
    ...options,
    bindings: { ...options.bindings, ...vars },
    modules,
    modulesRoot,
    name: 'sandbox',
    port: 0,
    durableObjectsPersist: folder,
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.WARN),
  };
}
