import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

// The examples import the package by its name, as users do: they run against what is built. Those for Jest, vitest and
// Playwright run in an empty project: `npm run test:package`.
test.each([
  ['node:test', ['--test', 'examples/node-test/shop.test.mjs']],
  ['msw', ['--test', 'examples/msw/shop.test.mjs']],
])(
  'the example for %s passes',
  (_, args) => {
    const { VITEST: _vitest, NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    expect(status, stdout + stderr).toBe(0);
  },
  60_000,
);
