import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'
import { createMetrics } from './metrics.ts'

test('logs JSON lines with time, level and message, from the configured level', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mayfly-log-'))
  const file = join(directory, 'log')
  const logger = createLogger('info', file)
  logger.debug({}, 'too small')
  logger.info({ count: 3 }, 'swept')
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(lines).toEqual([{ level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), count: 3, msg: 'swept' }])
  rmSync(directory, { recursive: true })
})

test('counts, sets and observes metrics, and renders them for Prometheus', async () => {
  const metrics = createMetrics()
  metrics.count('smtp_messages', { reply: '250' })
  metrics.count('smtp_messages', { reply: '250' }, 2)
  metrics.gauge('smtp_connections_open', 7)
  metrics.observe('smtp_delivery_seconds', 0.02)
  const { body, contentType } = await metrics.render()
  expect(contentType).toContain('text/plain')
  expect(body).toContain('mayfly_smtp_messages_total{reply="250"} 3')
  expect(body).toContain('mayfly_smtp_connections_open 7')
  expect(body).toContain('mayfly_smtp_delivery_seconds_bucket{le="0.025"} 1')
  expect(body).toContain('process_cpu_seconds_total')
})

test('rejects an undeclared metric', () => {
  expect(() => createMetrics().count('smtp_typo')).toThrow(/not declared/)
})
