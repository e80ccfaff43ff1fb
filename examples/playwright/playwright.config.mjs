import { defineConfig } from '@playwright/test';

const SHOP = 'http://127.0.0.1:4316';
/** Where the page finds the service, and the tests the control plane. */
const SANDBOX = 'http://127.0.0.1:4315';

export default defineConfig({
  testMatch: '*.spec.mjs',
  fullyParallel: true,
  reporter: 'list',
  metadata: { sandbox: SANDBOX },
  use: {
    baseURL: SHOP,
    // This machine's own Chromium. Leave it out where `npx playwright install` has been run.
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
  webServer: [
    {
      // Any key opens a sandbox of its own, and pages of the shop may call the merchant API.
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
