import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import type { SandboxServer } from '../../../src/node/index.ts';

/* Pages of a sandbox in a browser. Each is closed with its test, which fails if the page complained. */

export interface PageOptions {
  /** Of the window, in pixels: 1280 unless given. */
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** What the browser's console may say: what it writes of every refusal and lost connection that a test is about. */
  readonly allowed?: RegExp;
  /** Where the page is asked for, if not at the address of the server. */
  readonly base?: string;
  /** Whom else it may ask. */
  readonly beside?: string;
}

let browser: Promise<Browser> | undefined;

// The connection ends with the process of the tests, and the browser with the run.
const connect = (): Promise<Browser> => {
  browser ??= chromium.connect(inject('chromium'));
  return browser;
};

/** Opens a page as a person would. Whom it asks besides the sandbox, and what it minds, is told when the test ends. */
export async function openPage(
  server: Pick<SandboxServer, 'url'>,
  path: string,
  options: PageOptions = {},
): Promise<Page> {
  const { width = 1280, height = 844, scheme = 'light', reducedMotion = 'no-preference' } = options;
  const base = options.base ?? server.url;
  const context = await (await connect()).newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const strays: string[] = [];
  const complaints: string[] = [];
  const known = [base, ...(options.beside === undefined ? [] : [options.beside])];
  context.on('request', (request) => {
    const url = request.url();
    if (/^(data|blob):/.test(url) || known.some((each) => url.startsWith(`${each}/`))) return;
    strays.push(url);
  });
  context.on('console', (message) => {
    if (message.type() !== 'error' || options.allowed?.test(message.text())) return;
    complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('dialog', (dialog) => {
    complaints.push(`A dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  onTestFinished(async () => {
    await context.close();
    expect({ strays, complaints }).toEqual({ strays: [], complaints: [] });
  });

  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(`${base}${path}`);
  return page;
}

/** The first and only page of a context, again in the same tab or in another one of the same person. */
export async function openBeside(page: Page, address: string): Promise<Page> {
  const other = await page.context().newPage();
  other.setDefaultTimeout(60_000);
  await other.goto(address);
  return other;
}

/** What is on the clipboard. */
export const clipboard = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText());

/** Whether nothing of a page lies beside the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { wide, wanted } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    wanted: innerWidth,
  }));
  expect(wide, 'nothing scrolls sideways').toBe(wanted);
}
