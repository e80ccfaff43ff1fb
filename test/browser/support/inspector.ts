import type { Locator, Page } from 'playwright-core';
import type { SandboxServer } from '../../../src/node/index.ts';
import { anyFamilies } from '../../../src/products/world.ts';
import { openPage, type PageOptions } from './page.ts';

/* The parts of the inspector, found by role and name as users find them. */

/** Opens the inspector on the demo merchant, unless the query names another or a call. Waits until it receives events. */
export function openInspector(
  server: Pick<SandboxServer, 'url'>,
  query = '',
  options: PageOptions = {},
): Promise<Page> {
  const isGiven = /[?&](merchant|call)=/.test(query);
  return openLive(server, isGiven ? query : `?merchant=1${query.replace('?', '&')}`, options);
}

/** Opens the inspector on all merchants. */
export const openAll = (
  server: Pick<SandboxServer, 'url'>,
  options: PageOptions = {},
): Promise<Page> => openLive(server, '?merchant=all', options);

/** Opens the inspector without an address, so that it decides what it shows. */
export const openPlain = (
  server: Pick<SandboxServer, 'url'>,
  options: PageOptions = {},
): Promise<Page> => openLive(server, '', options);

async function openLive(
  server: Pick<SandboxServer, 'url'>,
  query: string,
  options: PageOptions,
): Promise<Page> {
  const page = await openPage(server, `/_sandbox${query}`, options);
  await isLive(page);
  return page;
}

export const isLive = (page: Page): Promise<void> =>
  page.getByRole('status').getByText('live', { exact: true }).waitFor();

/** A tab by its name, without the count. */
export const tab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });

export const calls = (page: Page): Locator => page.getByRole('listbox', { name: /^Calls/ });

/** The rows of the list of calls, or those that contain a text or are of an operation. */
export const rows = (page: Page, text?: string | RegExp): Locator => {
  const operation = operations.find(({ operationId }) => operationId === text);
  return calls(page)
    .getByRole('option')
    .filter(text === undefined ? {} : { hasText: operation ? callOf(operation) : text });
};

const operations = anyFamilies.flatMap((family) => [...family.operations]);

/** How a row names an operation: by method and path. */
const callOf = ({ method, path }: (typeof operations)[number]): RegExp =>
  new RegExp(`${method.toUpperCase()} ${path.replace(/\{\w+\}.*/, '')}(?![\\w-])`);

export const detail = (page: Page): Locator => page.getByRole('region', { name: 'Selected call' });

/** The line of a field in a body or query, with its problem if there is one. */
export const line = (within: Locator, field: string): Locator =>
  within.locator('.line').filter({ hasText: `"${field}"` });

/** A notice of the page with this text. */
export const notice = (page: Page, text: string | RegExp): Locator =>
  page.locator('.notices').getByText(text);

export const clock = (page: Page): Locator => page.getByRole('group', { name: 'Clock' });

export async function openMenu(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Merchant: / }).click();
  return page.getByRole('dialog', { name: 'Merchants' });
}
