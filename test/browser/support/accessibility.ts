import { readFile } from 'node:fs/promises';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');

/**
 * Fails with each serious or critical problem that axe-core finds, or if the page scrolls sideways.
 *
 * @param of what to leave out: `rules` are the only ones to check, `within` is the element to check if the others were
 * checked before, and `known` are problems of a library, the rule and the element: `nested-interactive at #id`
 */
export async function expectAccessible(
  page: Page,
  what: string,
  of: { rules?: readonly string[]; within?: string; known?: RegExp } = {},
): Promise<void> {
  const { rules, within, known } = of;
  // Evaluated by the developer tools, because the Content-Security-Policy blocks a script element.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  // An element that fades in has too little contrast until the animation ends.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
    }
  });
  const { violations, passes } = await page.evaluate(
    ({ only, within }) =>
      Reflect.get(globalThis, 'axe').run(within ?? document, {
        resultTypes: ['violations'],
        ...(only && { runOnly: only }),
      }) as Promise<AxeResults>,
    { only: rules, within },
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
