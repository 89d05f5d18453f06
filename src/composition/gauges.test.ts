import { tmpdir } from 'node:os'
import { expect, test, vi } from 'vitest'
import { loadConfig } from '#config/load.ts'
import type { Store } from '#core/store.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { createGauges } from './gauges.ts'

const SECRET = 'A'.repeat(43)
const logger = { debug() {}, info() {}, warn: vi.fn<() => void>(), error() {} }

function deps(usedByShare: Store['messages']['usedByShare']) {
  return {
    metrics: createMetrics(),
    logger,
    clock: () => 5,
    operatorSecret: SECRET,
    store: { messages: { usedByShare } },
  }
}

test('measures the free disk and the shares of the operator mailbox at each request', async () => {
  let used: Record<string, number> = { abuse: 12 }
  const usedByShare = vi.fn<Store['messages']['usedByShare']>(async () => used)
  const given = deps(usedByShare)
  const measure = createGauges(loadConfig({ MAYFLY_DATA_DIR: tmpdir() }), given)
  await measure()
  const { body } = await given.metrics.render()
  expect(body).toMatch(/^mayfly_disk_free_bytes [1-9]\d+(?:e\+\d+)?$/m)
  expect(body).toContain('mayfly_operator_mailbox_bytes{share="abuse"} 12')
  expect(body).toContain('mayfly_operator_mailbox_bytes{share="premium"} 0')
  expect(usedByShare).toHaveBeenCalledWith(expect.stringMatching(/./), 5)
  used = {}
  await measure()
  expect((await given.metrics.render()).body).toContain('mayfly_operator_mailbox_bytes{share="abuse"} 0')
})

test('does not measure the disk if the database is elsewhere', async () => {
  const given = deps(async () => ({}))
  await createGauges(loadConfig({ MAYFLY_DATABASE_URL: 'postgres://db.example/mayfly' }), given)()
  expect((await given.metrics.render()).body).not.toMatch(/^mayfly_disk_free_bytes/m)
})

test('does not wait for a store that hangs, and reports one that fails', async () => {
  const hangs = createGauges(
    loadConfig({ MAYFLY_DATA_DIR: tmpdir() }),
    deps(() => new Promise(() => {})),
    10,
  )
  await hangs()
  const fails = createGauges(
    loadConfig({ MAYFLY_DATA_DIR: '/nowhere' }),
    deps(() => Promise.reject(new Error('down'))),
  )
  await fails()
  await fails()
  expect(logger.warn).toHaveBeenCalledTimes(2)
})
