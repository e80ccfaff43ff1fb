import { defineConfig } from '@playwright/test';

const SHOP = 'http://127.0.0.1:4316';

export default defineConfig({
  testMatch: '*.spec.mjs',
  fullyParallel: true,
  reporter: 'list',
  use: {
    baseURL: SHOP,
    // An installed Chromium. Leave this out if you ran `npx playwright install`.
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
  webServer: {
    command: `node serve.mjs ${new URL(SHOP).port}`,
    url: SHOP,
    reuseExistingServer: false,
  },
});
