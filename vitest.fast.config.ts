import { defineConfig } from 'vitest/config'
import full from './vitest.config.ts'

/**
 * `npm run test:fast`: unit tests without browser, PostgreSQL and child processes. `npm test` runs everything.
 */
export default defineConfig({
  test: {
    ...full.test,
    include: ['src/**/*.test.{ts,tsx}', 'test/{architecture,documents}.test.ts'],
    exclude: [
      'src/store/dialects/postgres/**',
      'src/composition/store.test.ts',
      // These run in a real browser.
      'src/mail/html/{walls,private-frame}.test.ts',
    ],
    globalSetup: ['./test/support/program/databases-setup.ts'],
    provide: { engines: ['SQLite'] },
  },
})
