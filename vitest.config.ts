import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    reporters: ['default', './test/totals.ts'],
    // Real servers, real browsers: what waits for them may wait long on a busy machine. What is broken fails all the same,
    // only later.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // A third uses the time in which others wait, a tenth on two processors; more programs, browsers and load at once would
    // measure one another.
    maxWorkers: 3,
    globalSetup: ['./test/postgres-setup.ts', './test/compile-cache-setup.ts'],
  },
})
