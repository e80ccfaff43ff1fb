import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ChaosReport } from '../../src/node.ts';

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
  const { VITEST: _, ...env } = process.env;
  const vitest = [process.execPath, join(process.cwd(), 'node_modules/vitest/vitest.mjs'), 'run'];
  const command = join(process.cwd(), 'bin/micro-insurance-sandbox.cjs');
  const flags = ['--only', 'verifyMotorPolicy:lost', '--report', 'report.json'];
  const words = [command, 'chaos', ...flags, '--', ...vitest];
  const exit = await new Promise((resolve) => {
    const child = execFile(process.execPath, words, { cwd: folder, env }, () => {
      resolve(child.exitCode);
    });
  });
  const { runs, complete } = JSON.parse(
    readFileSync(join(folder, 'report.json'), 'utf8'),
  ) as ChaosReport;
  expect(exit).toBe(1);
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
