import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCommand } from '../../scripts/sandbox.mjs';
import { notice, openInspector, rows } from './support/inspector.ts';
import { openPage } from './support/page.ts';
import { send } from './support/sandbox.ts';

/* What is published, as the command serves it: the pages are bundled there, and loaded when they are asked for. */

let command: Awaited<ReturnType<typeof startCommand>>;
beforeAll(async () => {
  command = await startCommand();
});
afterAll(() => command.stop());

test('the inspector of the published command shows calls and moves the clock', async () => {
  const page = await openInspector(command);
  await send(command, 'getMicroHealthQuote');
  await rows(page, 'getMicroHealthQuote').waitFor();
  await page.getByRole('button', { name: '+15 min' }).click();
  await notice(page, /^Fifteen minutes passed/).waitFor();
});

test.each(['/', '/docs', '/docs/control'])(
  'the published command has the page %s',
  async (path) => {
    const page = await openPage(command, path);
    await page.getByRole('heading').first().waitFor();
    expect(await page.getByRole('main').count()).toBe(1);
  },
);
