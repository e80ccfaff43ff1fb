import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { provide as provideNeeds } from '../../../scripts/needs.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** What a deployment of the example uploads, made once for the whole run. */
    deployment: Deployment;
  }
}

export interface Deployment {
  /** The file of the Worker. */
  readonly script: string;
  /** Its bindings, assets and dates as the example's configuration says, in the words of the local engine. */
  readonly options: {
    readonly bindings: Readonly<Record<string, string>>;
    readonly durableObjects: Readonly<Record<string, { readonly className: string }>>;
    readonly assets: { readonly directory: string };
  };
}

/** The engine, and the program that uploads to it, which no other test needs. */
export const TOOLS = resolve('test/workers/engine');
export const CONFIGURATION = resolve('examples/workers/wrangler.jsonc');

/** Installs the engine, and makes of the example what `wrangler deploy` would upload. */
export default async function bundle({ provide }: TestProject): Promise<() => Promise<void>> {
  await provideNeeds('engine');
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-deployment-'));
  const wrangler = join(TOOLS, 'node_modules/wrangler/bin/wrangler.js');
  const args = ['deploy', '--dry-run', '--config', CONFIGURATION, '--outdir', folder];
  await promisify(execFile)(process.execPath, [wrangler, ...args], { env: silent(folder) });
  const { unstable_getMiniflareWorkerOptions: optionsOf } = createRequire(`${TOOLS}/`)('wrangler');
  const { workerOptions: options, main } = optionsOf(CONFIGURATION);
  provide('deployment', { script: join(folder, basename(main)), options });
  return () => rm(folder, { recursive: true });
}

/** Nobody is asked for a newer version, and nothing is told or written elsewhere. */
const silent = (folder: string) => ({
  PATH: process.env.PATH,
  HOME: folder,
  CI: '1',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_LOG_PATH: folder,
});
