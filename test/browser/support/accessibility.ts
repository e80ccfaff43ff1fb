import { readFile } from 'node:fs/promises';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');

/**
 * Fails with what axe-core finds serious or critical, and where, and if something lies beside the window.
 *
 * @param rules those to go by, where the others hold in any look of the page, or are not ours to keep
 */
export async function expectAccessible(
  page: Page,
  what: string,
  rules?: readonly string[],
): Promise<void> {
  // By way of the developer tools, which a Content-Security-Policy does not bind.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  // What fades in has too little contrast on the way.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
    }
  });
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
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
  expect(serious, what).toEqual([]);
  expect(passes.length, 'something was looked at').toBeGreaterThan(0);
  const { wide, wanted } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    wanted: innerWidth,
  }));
  expect(wide, `${what}: nothing scrolls sideways`).toBe(wanted);
}
