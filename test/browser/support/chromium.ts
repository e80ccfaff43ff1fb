import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { provide as provideNeeds } from '../../../scripts/needs.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The WebSocket URL of the browser for this run. */
    chromium: string;
  }
}

/** A host name that resolves to this machine and is not a local name. */
export const FOREIGN_HOST = 'sandbox.example';

/** Starts one browser for the whole run. Each test has its own context, which is cheap. */
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
      // Tests must not depend on other hosts.
      `--host-resolver-rules=MAP ${FOREIGN_HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
    ],
  });
  provide('chromium', server.wsEndpoint());
  return () => server.close();
}
