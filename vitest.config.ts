import { defineConfig } from 'vitest/config';
import { bundledTextForVite } from './scripts/bundle.mjs';

export default defineConfig({
  plugins: [bundledTextForVite],
  test: {
    include: ['test/**/*.test.ts'],
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'vitest.json' }]] : ['default'],
    // Every core: left to itself, a run on two cores uses one of them.
    maxWorkers: '100%',
    // Nothing is kept between tests but the program itself, so files can share its modules.
    isolate: false,
    // No test is about how long it takes: this is for machines on which much else runs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Less, so that a test which waits for something tells what did not come.
    expect: { poll: { timeout: 60_000 } },
    globalSetup: 'test/support/build.ts',
    // Far from UTC, so that a slip into local time shows.
    env: { TZ: 'America/Los_Angeles' },
    // Style sheets are assets of the product here, not decoration of a component.
    css: true,
  },
});
