import type { MayflyTestOptions } from '@mayfly/playwright'
import { defineConfig } from '@playwright/test'

export default defineConfig<MayflyTestOptions>({
  reporter: [['json', { outputFile: 'results.json' }]],
  use: { mayfly: { timeout: 300, lifetime: 'ten-minutes' } },
})
