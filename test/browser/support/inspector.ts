import type { Locator, Page } from 'playwright-core';
import type { SandboxServer } from '../../../src/node.ts';
import { openPage, type PageOptions } from './page.ts';

/* The parts of the inspector, found by role and name as users find them. */

/** Opens the inspector on the demo merchant, unless the query names another or a call. Waits until it receives events. */
export async function openInspector(
  server: Pick<SandboxServer, 'url'>,
  query = '',
  options: PageOptions = {},
): Promise<Page> {
  const isGiven = /[?&](merchant|call)=/.test(query);
  const given = isGiven ? query : `?merchant=1${query.replace('?', '&')}`;
  const page = await openPage(server, `/_sandbox${given}`, options);
  await isLive(page);
  return page;
}

/** Opens the inspector on all merchants. */
export const openAll = (
  server: Pick<SandboxServer, 'url'>,
  options: PageOptions = {},
): Promise<Page> => openInspector(server, '?merchant=all', options);

export const isLive = (page: Page): Promise<void> =>
  page.getByRole('status').getByText('live', { exact: true }).waitFor();

/** A tab by its name, without the count. */
export const tab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });

export const calls = (page: Page): Locator => page.getByRole('listbox', { name: /^Calls/ });

/** The rows of the list of calls, or those that contain a text. */
export const rows = (page: Page, text?: string | RegExp): Locator =>
  calls(page)
    .getByRole('option')
    .filter(text === undefined ? {} : { hasText: text });

export const detail = (page: Page): Locator => page.getByRole('region', { name: 'Selected call' });

/** The strip with the story of a purchase. */
export const story = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'The story of this purchase' });

/** The line of a field in a body, with its problem if there is one. */
export const line = (within: Locator, field: string): Locator =>
  within.locator('.line').filter({ hasText: `"${field}"` });

/** A notice of the page with this text. */
export const notice = (page: Page, text: string | RegExp): Locator =>
  page.locator('.notices').getByText(text);

export const clock = (page: Page): Locator => page.getByRole('group', { name: 'Clock' });

/** Chooses an action of a menu. */
export async function choose(page: Page, menu: string, action: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.locator('[popover]').getByRole('button', { name: action }).click();
}

/** The merchant that the page shows. */
export const shownMerchant = (page: Page, name: string | RegExp = /^Merchant: /): Locator =>
  page.getByRole('link', { name });

/** Opens the table of merchants. */
export async function openMerchants(page: Page): Promise<Locator> {
  await shownMerchant(page).click();
  return page.getByRole('region', { name: 'Merchants' });
}
