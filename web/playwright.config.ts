import { defineConfig } from '@playwright/test';
import { launch } from './scripts/browser.mjs';

/** Against the real server (the program, built with Picket), a real database and the built client. */
const address = process.env.E2E_ADDRESS ?? '127.0.0.1:18151';

export default defineConfig({
  testDir: 'e2e',
  timeout: 60_000,
  expect: { timeout: 12_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // Where nobody watches a test may be tried once more; it is then told as flaky.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  outputDir: 'node_modules/.playwright',
  use: {
    baseURL: `http://${address}`,
    launchOptions: launch,
    reducedMotion: 'reduce',
    viewport: { width: 1400, height: 900 },
  },
  webServer: {
    command: `node scripts/serve.mjs ${address}`,
    url: `http://${address}/api/scenarios`,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 3_000 },
  },
});
