import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { provide as provideNeeds } from '../../../scripts/needs.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser of this run is spoken to. */
    chromium: string;
  }
}

/** A name that leads here and is not one of this machine's own. */
export const FOREIGN_HOST = 'sandbox.example';

/** Starts one browser for the whole run: each test has a context of its own in it, which costs next to nothing. */
export default async function launch({ provide }: TestProject): Promise<() => Promise<void>> {
  await provideNeeds('chromium');
  const server = await chromium.launchServer({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // No test may depend on the world outside, nor wait for it.
      `--host-resolver-rules=MAP ${FOREIGN_HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
    ],
  });
  provide('chromium', server.wsEndpoint());
  return () => server.close();
}
