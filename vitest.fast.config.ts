import { defineConfig } from 'vitest/config'
import full from './vitest.config.ts'

/**
 * `npm run test:fast`: unit tests without browser, PostgreSQL, child processes, collections of messages and what is tagged as
 * slow.
 * `npm test` runs everything.
 */
export default defineConfig({
  test: {
    ...full.test,
    // Keeps transformed modules between runs.
    fsModuleCache: true,
    // Without programs and browsers beside them, four workers disturb each other less than in the whole suite.
    maxWorkers: 4,
    tags: [{ name: 'slow', skip: true }],
    include: ['src/**/*.test.{ts,tsx}', 'test/{architecture,documents}.test.ts'],
    exclude: [
      'src/store/dialects/postgres/**',
      'src/composition/store.test.ts',
      'src/store/dialects/sqlite/processes.test.ts',
      // These start programs or several nodes.
      'src/demo/demo.test.ts',
      'src/features/forwarding/forwarding-nodes.test.ts',
      // These import large linters.
      'src/http/openapi/linters.test.ts',
      // These run in a real browser.
      'src/mail/html/{walls,private-frame,measure-frame}.test.ts',
      // These restart threads and copy or migrate whole databases, again and again.
      'src/mail/reader/reader.test.ts',
      'src/composition/backup.test.ts',
      'src/store/dialects/sqlite/{migrations,deletion,backup,connections}.test.ts',
      // Thousands of sessions, or hundreds of messages or of orders of events.
      'src/features/billing/billing-events.test.ts',
      'src/smtp/hostile.test.ts',
      'src/mail/reader/hostile.test.ts',
      'src/web/private/read-job.test.ts',
      'src/mail/finder/{finder,plain}.test.ts',
    ],
    globalSetup: ['./test/support/program/run-setup.ts', './test/support/program/databases-setup.ts'],
    provide: { engines: ['SQLite'] },
  },
})
