import type { MayflyTestOptions } from '@mayfly/playwright'
import { defineConfig } from '@playwright/test'

// The tested application sends its email to the SMTP port of Mayfly.
const { APP_PORT = '4000', CHROMIUM, MAYFLY_PUBLIC_URL = 'http://localhost:3000' } = process.env

export default defineConfig<MayflyTestOptions>({
  testDir: 'tests',
  reporter: [['list'], ['json', { outputFile: 'results.json' }]],
  use: {
    baseURL: `http://localhost:${APP_PORT}`,
    mayfly: { url: MAYFLY_PUBLIC_URL, attach: 'always' },
    // Without it, Playwright's own browser is used: npx playwright install chromium
    ...(CHROMIUM === undefined ? {} : { launchOptions: { executablePath: CHROMIUM } }),
  },
  webServer: { command: 'node app.js', url: `http://localhost:${APP_PORT}/sign-up` },
})
