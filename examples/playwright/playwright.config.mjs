import { defineConfig } from '@playwright/test';

const SHOP = 'http://127.0.0.1:4316';
/** Where the page finds the merchant API, and the tests the control plane. */
const SANDBOX = 'http://127.0.0.1:4315';

export default defineConfig({
  testMatch: '*.spec.mjs',
  fullyParallel: true,
  reporter: 'list',
  metadata: { sandbox: SANDBOX },
  use: {
    baseURL: SHOP,
    // An installed Chromium. Leave this out if you ran `npx playwright install`.
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
  webServer: [
    {
      // Any key opens its own World, and the shop's pages may call the merchant API.
      command: `npx micro-insurance-sandbox --auto-merchants --cors ${SHOP} --quiet`,
      env: { SANDBOX_PORT: new URL(SANDBOX).port },
      url: `${SANDBOX}/readyz`,
      reuseExistingServer: false,
    },
    {
      command: `node serve.mjs ${new URL(SHOP).port}`,
      url: SHOP,
      reuseExistingServer: false,
    },
  ],
});
