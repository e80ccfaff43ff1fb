import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ChaosReport } from '../../src/node.ts';
import { runHere } from '../support/terminal.ts';

const SUITE = `
  import { expect } from 'vitest';
  import { test } from 'micro-insurance-sandbox/vitest';

  test('gives up', ({ merchant }) => merchant.buy('motor'));
  test('hasty', ({ merchant }) => merchant.buy('motor').catch(() => merchant.buy('motor')));
  test('tried again', { retry: 1 }, async ({ merchant }) => { await merchant.buy('motor'); });
  test('ignores', async ({ merchant }) => {
    await merchant.data('verifyMotorPolicy', { token: 'unknown' }).catch(() => undefined);
  });
  test('careful', async ({ merchant }) => {
    await merchant.buy('motor').catch(() => undefined);
    expect(merchant.records({ family: 'motor' }).data).toHaveLength(1);
  });
`;

/** A suite of vitest under `chaos`, as users run it, with the built package. */
test('chaos judges each test of a suite by its own result, and tells those that were tried again', async () => {
  const folder = mkdtempSync('.pasted-kit-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {}');
  writeFileSync(join(folder, 'shop.test.ts'), SUITE);
  const env = { PATH: process.env.PATH as string };
  const vitest = [process.execPath, join(process.cwd(), 'node_modules/vitest/vitest.mjs'), 'run'];
  const words = ['--only', 'verifyMotorPolicy:lost', '--json', '--', ...vitest, '--root', folder];
  // Tests that fail do not keep the others from being judged, and one run is enough for all.
  words.push('--bail', '1');
  const { code, out } = await runHere(['chaos', ...words], env);
  const { runs, complete }: ChaosReport = JSON.parse(out);
  expect(code).toBe(1);
  expect(complete).toBe(true);
  const outcomes = runs.map(({ merchant, outcome, earlierAttempts }) => [
    merchant,
    outcome,
    earlierAttempts,
  ]);
  expect(outcomes).toEqual([
    ['gives up', 'noticed', undefined],
    ['hasty', 'bought twice', undefined],
    ['tried again', 'noticed', 1],
    ['ignores', 'survived', undefined],
    ['careful', 'survived', undefined],
  ]);
});
