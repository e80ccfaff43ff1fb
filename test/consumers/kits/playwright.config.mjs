import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: '*.spec.*',
  reporter: 'list',
  fullyParallel: true,
  workers: 2,
});
