import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { declared } from './declared.ts'
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

test('shows a counter with 0 for all known values of its labels, so that the first event is an increase', async () => {
  const metrics = createMetrics()
  metrics.count('letters_failed', { kind: 'receipt' })
  const { body } = await metrics.render()
  for (const line of [
    'mayfly_letters_failed_total{kind="receipt"} 1',
    'mayfly_letters_failed_total{kind="sign-in"} 0',
    'mayfly_smtp_messages_total{reply="451"} 0',
    'mayfly_smtp_connections_total{outcome="proxy_timeout"} 0',
    'mayfly_payment_events_total{provider="stripe",result="forged"} 0',
    'mayfly_reconciliations_total{provider="btcpay",outcome="failed"} 0',
    'mayfly_reconciliation_differences_total{provider="stripe",kind="order_unknown"} 0',
    'mayfly_http_connections_refused_total{cap="client"} 0',
    'mayfly_smtp_early_talkers_total 0',
  ])
    expect(body.split('\n')).toContain(line)
  const shown = (name: string) => new RegExp(`^mayfly_${name}_total[ {]`, 'm').test(body)
  const absent = Object.keys(declared).filter((name) => declared[name]?.type === 'counter' && !shown(name))
  expect(absent).toEqual(['http_requests'])
})

test('every value that the code counts is declared', () => {
  const root = join(import.meta.dirname, '..')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!test)\.ts$/.test(name))
  const counted = files.flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(/\.count\('(\w+)', \{ (\w+): '([^']+)' \}/g)].map(
      ([, metric = '', label = '', value = '']) => ({ metric, label, value }),
    ),
  )
  expect(counted.length).toBeGreaterThan(10)
  for (const { metric, label, value } of counted) expect(declared[metric]?.labels?.[label], metric).toContain(value)
})

test('rejects an undeclared metric', () => {
  expect(() => createMetrics().count('smtp_typo')).toThrow(/not declared/)
})
