import { afterEach, expect, test, vi } from 'vitest'
import type { CheckedSender } from '#core/mailbox/mail-reader.ts'
import { type Authentication, NOT_CHECKED } from '#core/mailbox/message.ts'
import { MemoryBudget } from '#core/memory-budget.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { type DnsServer, startDnsServer, type Zone } from '#test/support/dns/dns-server.ts'
import { openMailboxFixture, type MailboxFixture } from '#test/support/fixtures/mailbox.ts'
import { createSenderChecks, isUnchecked } from './sender-checks.ts'
import type { WebhookAnnouncer } from './summarized-message.ts'

const PASSED: Authentication = { spf: 'pass', dkim: 'pass', dmarc: 'pass' }
const envelope = { mailFrom: '', recipient: '', helo: '', clientAddress: '', tls: false, receivedAt: 0 }
const raw = new Uint8Array(10)

function checks(
  authenticate: () => Promise<CheckedSender>,
  { maxWaiting = 100, memory = new MemoryBudget(1000) } = {},
) {
  const time = { now: 0 }
  const { check } = createSenderChecks({
    reader: { authenticate },
    memory,
    metrics: createMetrics(),
    maxWaiting,
    breaker: { failures: 3, pause: 1000 },
    now: () => time.now,
  })
  return { time, check: (clientAddress = '') => check(raw, { ...envelope, clientAddress }) }
}

test('makes one check per pause while no name server answers, and all checks again afterwards', async () => {
  const authenticate = vi.fn(async () => NOT_CHECKED)
  const { time, check } = checks(authenticate)
  for (let i = 0; i < 10; i++) expect(isUnchecked(await check())).toBe(true)
  expect(authenticate).toHaveBeenCalledTimes(3)
  time.now = 1001
  for (let i = 0; i < 10; i++) await check()
  expect(authenticate).toHaveBeenCalledTimes(4)
  authenticate.mockResolvedValue(PASSED)
  time.now = 2002
  for (let i = 0; i < 10; i++) expect(await check()).toEqual(PASSED)
})

test('makes all checks of other networks while the name servers of one do not answer', async () => {
  const authenticate = vi.fn(async () => NOT_CHECKED)
  const { check } = checks(authenticate)
  for (let i = 0; i < 10; i++) await check(`192.0.2.${i}`)
  authenticate.mockResolvedValue(PASSED)
  expect(await check('192.0.2.1')).toEqual(NOT_CHECKED)
  expect(await check('198.51.100.1')).toEqual(PASSED)
})

test('makes all checks while name servers respond, even if only to say that they failed', async () => {
  const authenticate = vi.fn(async () => ({ ...NOT_CHECKED, answered: true as const }))
  const { check } = checks(authenticate)
  for (let i = 0; i < 10; i++) expect(await check()).toEqual(NOT_CHECKED)
  expect(authenticate).toHaveBeenCalledTimes(10)
})

test('skips a check at once if too many are pending', async () => {
  const never = new Promise<Authentication>(() => {})
  const { check } = checks(() => never, { maxWaiting: 2 })
  const pending = [check(), check()]
  expect(await check()).toEqual(NOT_CHECKED)
  expect(pending).toHaveLength(2)
})

test('waits for memory for some seconds', async () => {
  vi.useFakeTimers()
  try {
    const memory = new MemoryBudget(1000)
    const { check } = checks(async () => PASSED, { memory })
    const giveBack = memory.tryLend(1000, { kind: 'check' })
    const first = check()
    await vi.advanceTimersByTimeAsync(10_000)
    giveBack?.()
    expect(await first).toEqual(PASSED)
    memory.tryLend(1000, { kind: 'check' })
    const second = check()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await second).toEqual(NOT_CHECKED)
  } finally {
    vi.useRealTimers()
  }
})

test('returns NOT_CHECKED if the reader fails', async () => {
  const { check } = checks(() => Promise.reject(new Error('gone')))
  expect(await check()).toEqual(NOT_CHECKED)
})

/** A name server that never answers. */
const SILENT = new Proxy({} as Zone, { get: () => 'silence' })
let nameServer: DnsServer | undefined
let fixture: MailboxFixture | undefined
afterEach(async () => {
  await fixture?.close()
  nameServer?.close()
})

test(
  'does not delay summaries or webhooks if a name server never answers',
  { timeout: 60_000, tags: ['slow'] },
  async () => {
    const { address } = (nameServer = await startDnsServer(SILENT))
    const announced: string[] = []
    const announcer: WebhookAnnouncer = {
      async callsFor({ summary }) {
        announced.push(summary.subject)
        return undefined
      },
      onStored() {},
    }
    const cases = (fixture = await openMailboxFixture({
      dns: { servers: [address], timeout: 5000 },
      overrides: { announcer },
    }))
    const { open } = await cases.addresses.create({})
    // More than are checked at the same time.
    const count = 50
    for (let i = 0; i < count; i++) {
      await cases.deliver([open.address], `From: a@sender.example\r\nSubject: mail ${i}\r\n\r\nx\r\n`)
    }
    // Long before the first check ends.
    await vi.waitFor(async () => {
      const rows = await cases.store.messages.list(open.row.id, { now: cases.time.now, limit: count })
      expect(rows.filter(({ sealedSummary }) => sealedSummary !== null)).toHaveLength(count)
    }, 9000)
    expect(announced).toHaveLength(count)
    // In the end, the messages report that they could not be checked.
    await vi.waitFor(
      async () => {
        const { messages } = await cases.messages.list(open, {})
        expect(messages.filter(({ authentication }) => !isUnchecked(authentication))).toEqual([])
      },
      { timeout: 40_000, interval: 500 },
    )
  },
)
