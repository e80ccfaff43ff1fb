import { readFile } from 'node:fs/promises';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');

/**
 * Fails with each serious or critical problem that axe-core finds, or if the page scrolls sideways.
 *
 * @param rules the only rules to check, if the others are checked elsewhere or not ours to keep
 * @param known problems of a library: the rule and the element, `nested-interactive at #id`
 */
export async function expectAccessible(
  page: Page,
  what: string,
  rules?: readonly string[],
  known?: RegExp,
): Promise<void> {
  // Evaluated by the developer tools, because the Content-Security-Policy blocks a script element.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  // An element that fades in has too little contrast until the animation ends.
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
    )
    .filter((problem) => !known?.test(problem));
  expect(serious, what).toEqual([]);
  expect(passes.length, 'some rules apply').toBeGreaterThan(0);
  const { wide, wanted } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    wanted: innerWidth,
  }));
  expect(wide, `${what}: nothing scrolls sideways`).toBe(wanted);
}
