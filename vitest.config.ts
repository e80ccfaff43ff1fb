import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { bundledTextForVite } from './scripts/bundle.mjs';

/** Far from UTC, so that a slip into local time shows. */
const env = { TZ: 'America/Los_Angeles' };

/** What every kind of test has in common. */
const shared = {
  // Nothing is kept between tests but the program itself, so files can share its modules.
  isolate: false,
  globalSetup: ['scripts/fresh-build.mjs'],
  // Style sheets are assets of the product here, not decoration of a component.
  css: true,
};

/** Tests that run for as long as `DEPTH` says. */
const LONG = {
  testTimeout: 60 * 60_000,
  hookTimeout: 60_000,
  env: { ...env, DEPTH: process.env.DEPTH ?? 'all' },
};

const project = (
  name: string,
  test: NonNullable<Extract<TestProjectConfiguration, { test?: unknown }>['test']>,
) => ({
  plugins: [bundledTextForVite],
  test: { ...shared, name, ...test },
});

export default defineConfig({
  test: {
    // CI counts the tests of each step.
    reporters: process.env.VITEST_REPORT
      ? ['default', ['json', { outputFile: process.env.VITEST_REPORT }]]
      : ['default'],
    // Every core: left to itself, a run on two cores uses one of them.
    maxWorkers: '100%',
    projects: [
      project('unit', {
        include: ['test/**/*.test.ts'],
        // Generated cases have a lane of their own. Other test runners run the programs that install the package.
        exclude: ['test/**/*.deep.test.ts', 'test/consumers/**', 'test/**/node_modules/**'],
        // No test is about how long it takes: this is for machines on which much else runs.
        testTimeout: 120_000,
        hookTimeout: 120_000,
        // Less, so that a test which waits for something tells what did not come.
        expect: { poll: { timeout: 60_000 } },
        env,
      }),
      project('browser', {
        include: ['test/browser/**/*.browser.ts'],
        globalSetup: [...shared.globalSetup, 'test/browser/support/chromium.ts'],
        // Pages share the machine with the browser: what takes long there is busy, not stuck.
        testTimeout: 240_000,
        expect: { poll: { timeout: 60_000 } },
      }),
      project('workers', {
        include: ['test/workers/**/*.workers.ts'],
        globalSetup: [...shared.globalSetup, 'test/workers/support/deployment.ts'],
        testTimeout: 240_000,
        hookTimeout: 120_000,
        env,
      }),
      // The code of README and docs, run as it is pasted.
      project('docs', {
        include: ['test/**/*.docs.ts'],
        testTimeout: 240_000,
        expect: { poll: { timeout: 60_000 } },
        env,
      }),
      // Generated cases: what measures rather than guards.
      project('deep', {
        include: ['test/**/*.deep.test.ts'],
        ...LONG,
      }),
      // Many Worlds, much load, `kill -9` in rounds.
      project('soak', {
        include: ['test/soak/**/*.soak.ts'],
        ...LONG,
      }),
    ],
  },
});
