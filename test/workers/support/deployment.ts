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
    /** The upload of a deployment of the example, built once per run. */
    deployment: Deployment;
  }
}

export interface Deployment {
  /** The path of the Worker. */
  readonly script: string;
  /** The example's configuration as options of the local engine. */
  readonly options: {
    readonly bindings: Readonly<Record<string, string>>;
    readonly durableObjects: Readonly<Record<string, { readonly className: string }>>;
    readonly assets: { readonly directory: string };
  };
}

/** The project with the engine and wrangler, which only these tests need. */
export const TOOLS = resolve('test/workers/engine');
export const CONFIGURATION = resolve('examples/workers/wrangler.jsonc');

/** Installs the engine, and builds what `wrangler deploy` would upload for the example. */
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

/** Turns off update checks and metrics, and keeps logs in the folder. */
const silent = (folder: string) => ({
  PATH: process.env.PATH,
  HOME: folder,
  CI: '1',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_LOG_PATH: folder,
});
