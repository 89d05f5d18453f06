import { defineConfig } from 'vitest/config'
import { PATIENCE } from './test/support/program/patience.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    reporters: ['default', './test/support/program/reporter.ts'],
    // A test waits for several things, one after the other.
    testTimeout: 4 * PATIENCE,
    hookTimeout: 4 * PATIENCE,
    expect: { poll: { timeout: PATIENCE, interval: 20 } },
    // A third uses the time in which others wait, a tenth on two processors; more programs, browsers and load at once would
    // measure one another.
    maxWorkers: 3,
    provide: { engines: ['SQLite', 'PostgreSQL'] },
    globalSetup: [
      './test/support/program/postgres-setup.ts',
      './test/support/program/compile-cache-setup.ts',
      './test/support/program/browser-setup.ts',
    ],
  },
})
