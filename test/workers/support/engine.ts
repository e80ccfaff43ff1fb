import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { BASE, type Fetcher, START } from '../../support/client.ts';
import { TOOLS } from './deployment.ts';

/** Cloudflare's local engine, running a deployment of the example. */
export interface Engine extends Fetcher {
  /** Its address, which changes with each start. */
  readonly url: string;
  /** Kills the process at once, and starts a new one that loads the stored objects. */
  restart(): Promise<void>;
}

/** The parts of the local engine that are used. */
interface Miniflare {
  readonly ready: Promise<URL>;
  dispose(): Promise<void>;
}

const { Miniflare, Log, LogLevel } = createRequire(`${TOOLS}/`)('miniflare');

export const ADMIN_TOKEN = 'admin-token';

/** The settings of the sandboxes in other tests. */
const VARS = {
  SANDBOX_ADMIN_TOKEN: ADMIN_TOKEN,
  SANDBOX_NOW: START,
  SANDBOX_FREEZE: '1',
  SANDBOX_SEED: '7',
  SANDBOX_PUBLIC_URL: BASE,
};

/**
 * Starts an engine with its own storage folder. This takes a second, so the tests of a file share
 * one, and each test creates its own merchants.
 *
 * @param program replaces the deployment's `./worker.js`, which it may import
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

/** Sends a request to another address, with its body in one piece as clients do. */
export async function send(request: Request, url: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { method, signal } = request;
  const headers = new Headers(request.headers);
  // Otherwise fetch accepts compression, and the engine compresses the response.
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
  // The engine may close an idle connection just as it is used again.
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
