import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

// The examples import the package by its name, as users do: they run against what is built.
test.each([
  ['node:test', ['--test', 'examples/node-test/shop.test.mjs']],
  ['msw', ['--test', 'examples/msw/shop.test.mjs']],
  ['vitest', ['node_modules/vitest/vitest.mjs', 'run', '--root', 'examples/vitest']],
  [
    'vitest with one sandbox for all workers',
    ['node_modules/vitest/vitest.mjs', 'run', '--root', 'examples/vitest-global-setup'],
  ],
])(
  'the example for %s passes',
  (_, args) => {
    const { VITEST: _vitest, NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    expect(status, stdout + stderr).toBe(0);
  },
  60_000,
);
