import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Fails with what axe-core finds serious or critical, and where.
 *
 * @param rules those to go by, where the others have been gone through in another look of the same page
 */
export async function expectAccessible(
  page: Page,
  what: string,
  rules?: readonly string[],
): Promise<void> {
  // By way of the developer tools, which a Content-Security-Policy does not bind.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate(
    (only) =>
      Reflect.get(globalThis, 'axe').run(document, {
        resultTypes: ['violations'],
        ...(only && { runOnly: only }),
      }) as Promise<AxeResults>,
    rules,
  );
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) =>
          `${impact} ${id} at ${target.join(' ')}: ${failureSummary?.replaceAll(/\s+/g, ' ')}`,
      ),
    );
  expect(serious, what).toEqual([]);
  expect(passes.length, 'something was looked at').toBeGreaterThan(0);
}
