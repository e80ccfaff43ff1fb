import { defineConfig } from 'vitest/config';
import { bundledTextForVite } from './scripts/bundle.mjs';

export default defineConfig({
  plugins: [bundledTextForVite],
  // Style sheets are assets of the product here, not decoration of a component.
  test: { include: ['test/browser/**/*.browser.ts'], css: true },
});
