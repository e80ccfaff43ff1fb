import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: 'attempts.spec.mjs',
  reporter: 'json',
  timeout: 10_000,
});
