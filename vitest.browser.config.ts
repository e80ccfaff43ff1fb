import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Style sheets are assets of the product here, not decoration of a component.
  test: { include: ['test/browser/**/*.browser.ts'], css: true },
});
