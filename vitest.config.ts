import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    reporters: ['default', './test/totals.ts'],
    // Real servers, real browsers: what waits for them may wait long on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // Programs, browsers and load of several files at once would measure one another.
    maxWorkers: 2,
    globalSetup: './test/postgres-setup.ts',
  },
})
