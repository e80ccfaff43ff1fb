import { defineConfig } from 'vitest/config';
import { bundledTextForVite } from './scripts/bundle.mjs';

export default defineConfig({
  plugins: [bundledTextForVite],
  test: {
    include: ['test/browser/**/*.browser.ts'],
    globalSetup: ['test/support/build.ts', 'test/browser/support/chromium.ts'],
    // Each test has a sandbox and a browser context of its own: modules can be loaded once for all.
    isolate: false,
    // Every core: left to itself, a run on two cores uses one of them.
    maxWorkers: '100%',
    // Pages share the machine with the browser: what takes long there is busy, not stuck.
    testTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // Style sheets are assets of the product here, not decoration of a component.
    css: true,
  },
});
