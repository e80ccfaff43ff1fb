import { defineConfig } from '@playwright/test';

const PAGE = 'http://127.0.0.1:5173';

export default defineConfig({
  testMatch: '*.spec.mjs',
  reporter: 'list',
  use: {
    baseURL: PAGE,
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
  webServer: {
    command: `node serve.mjs ${new URL(PAGE).port}`,
    url: PAGE,
    reuseExistingServer: false,
  },
});
