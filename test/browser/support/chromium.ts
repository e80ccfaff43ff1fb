import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, provide } from '../../../scripts/needs.mjs';

/** A host name that resolves to this machine and is not a local name. */
export const FOREIGN_HOST = 'sandbox.example';

/** Installs the browser before the tests if it is missing. */
export default (): Promise<void> => provide('chromium');

let browser: Promise<Browser> | undefined;

/** The browser of this test process, which ends with it. Each test has its own context, which is cheap. */
export const openBrowser = (): Promise<Browser> => (browser ??= launch());

const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
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
