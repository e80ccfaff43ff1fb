import { defineConfig } from 'vitest/config';
import { bundledTextForVite } from './scripts/bundle.mjs';

export default defineConfig({
  plugins: [bundledTextForVite],
  test: {
    include: ['test/soak/**/*.soak.ts'],
    globalSetup: 'test/support/build.ts',
    // Each part keeps the machine busy, and measures.
    fileParallelism: false,
    testTimeout: 60 * 60_000,
    hookTimeout: 60_000,
    reporters: ['verbose'],
    // Figures are shown as they are measured.
    disableConsoleIntercept: true,
  },
});
