import { defineConfig } from 'vitest/config';
import { bundledTextForVite } from './scripts/bundle.mjs';

export default defineConfig({
  plugins: [bundledTextForVite],
  test: {
    include: ['test/workers/**/*.workers.ts'],
    globalSetup: ['test/support/build.ts', 'test/workers/support/deployment.ts'],
    // Nothing is kept between tests but the engine of their file.
    isolate: false,
    maxWorkers: '100%',
    // An engine and its tests share the machine with others: what takes long there is busy, not stuck.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // Far from UTC, so that a slip into local time shows.
    env: { TZ: 'America/Los_Angeles' },
  },
});
