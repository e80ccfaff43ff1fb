import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { SandboxServer } from '../../../src/node.ts';
import { openBrowser } from './chromium.ts';

/* Pages of a sandbox in a browser. Each closes after its test, and its errors fail the test. */

export interface PageOptions {
  /** The width of the window in pixels, 1280 by default. */
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** Console errors that are expected, such as those for refused requests and lost connections. */
  readonly allowed?: RegExp;
  /** The origin to open, by default that of the server. */
  readonly base?: string;
  /** Another origin that the page may send requests to. */
  readonly beside?: string;
}

/** Opens a page. Its errors and its requests to other origins fail the test when it ends. */
export async function openPage(
  server: Pick<SandboxServer, 'url'>,
  path: string,
  options: PageOptions = {},
): Promise<Page> {
  const { width = 1280, scheme = 'light', reducedMotion = 'no-preference' } = options;
  const base = options.base ?? server.url;
  const context = await (await openBrowser()).newContext({
    viewport: { width, height: 844 },
    // Far from UTC, so that an accidental local time is noticed.
    timezoneId: 'America/Los_Angeles',
    permissions: ['clipboard-read', 'clipboard-write'],
    colorScheme: scheme,
    reducedMotion,
  });
  const strays: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => {
    const url = request.url();
    const known = [base, options.beside].some((each) => url.startsWith(`${each}/`));
    if (!known && !/^(data|blob):/.test(url)) strays.push(url);
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

/** Opens another tab in the same browser context. */
export async function openBeside(page: Page, address: string): Promise<Page> {
  const other = await page.context().newPage();
  other.setDefaultTimeout(60_000);
  await other.goto(address);
  return other;
}

export const clipboard = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText());

/** The background of a page in light and dark mode. */
export const BACKGROUND = { light: 'rgb(246, 247, 249)', dark: 'rgb(15, 18, 22)' } as const;

export const backgroundOf = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.body).backgroundColor);
