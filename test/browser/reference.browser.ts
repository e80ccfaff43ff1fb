import { expect, test } from 'vitest';
import { openPage } from './support/page.ts';
import { serve } from './support/sandbox.ts';

test('the reference page shows what is supposed and tries a quote, asking nobody else', async () => {
  const page = await openPage(await serve(), '/docs');
  await page.locator('#suppositions tr#token-boundary').waitFor();
  const quote = page.locator('[id$="getMicroHealthQuote"]');
  await quote.locator('.opblock-summary-control').click();
  await quote.locator('button.execute').click();
  const answer = quote.locator('.live-responses-table tbody');
  await expect
    .poll(() => answer.first().textContent(), { timeout: 10_000 })
    .toContain('"quote_price": 700');
});
