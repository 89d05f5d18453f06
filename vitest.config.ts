import { defineConfig } from 'vitest/config'
import LongestFirst from './test/support/program/longest-first.ts'
import { PATIENCE } from './test/support/program/patience.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    reporters: ['default', './test/support/program/reporter.ts'],
    // A test may wait for several conditions, one after the other.
    testTimeout: 4 * PATIENCE,
    hookTimeout: 4 * PATIENCE,
    // Files share a process, one after the other: its start and the imports would take more time than many files. So no
    // module of test/support may keep what belongs to one file.
    isolate: false,
    // A machine that is busy for a moment must not refuse a change. A test that really fails, fails three times.
    retry: process.env.CI ? 2 : 0,
    tags: [{ name: 'slow', description: 'Takes much CPU time. `npm run test:fast` leaves it out.' }],
    expect: { poll: { timeout: PATIENCE, interval: 20 } },
    // A third worker uses the time in which others wait: a tenth faster on two cores. More programs, browsers and load tests
    // at once would disturb each other's measurements.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    provide: { engines: ['SQLite', 'PostgreSQL'] },
    setupFiles: ['./test/support/program/file-setup.ts'],
    globalSetup: [
      './test/support/program/run-setup.ts',
      './test/support/program/postgres-setup.ts',
      './test/support/program/databases-setup.ts',
      './test/support/program/program-setup.ts',
      './test/support/program/browser-setup.ts',
    ],
  },
})
