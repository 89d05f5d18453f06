import { defineConfig } from 'vitest/config'
import full from './vitest.config.ts'

/**
 * `npm run test:fast`: what needs no browser, no PostgreSQL and no whole program. For the daily loop; `npm test` runs everything.
 */
export default defineConfig({
  test: {
    ...full.test,
    include: ['src/**/*.test.{ts,tsx}', 'test/architecture.test.ts'],
    exclude: [
      'src/store/dialects/postgres/**',
      'src/composition/store.test.ts',
      // In a real browser.
      'src/mail/html/{walls,private-frame}.test.ts',
    ],
    globalSetup: [],
    provide: { engines: ['SQLite'] },
  },
})
