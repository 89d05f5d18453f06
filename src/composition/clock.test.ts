import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { DAY } from '#core/time.ts'
import { canonicalEmail } from '#mail/email-address.ts'
import { compose } from './app.ts'

afterEach(() => vi.useRealTimers())

const EMAIL = 'ann@example.com'

/** Runs the periodic work once, a year after a subscription was granted. Returns when the subscriber got the notice. */
async function noticeAfter({ passed }: { passed: boolean }): Promise<number | null> {
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-clock-'))
  const time = { now: Date.UTC(2026, 0, 1) }
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  const config = loadConfig({ MAYFLY_DATA_DIR: directory })
  const services = await compose(config, { clock: () => time.now, logger: silent })
  try {
    await services.grants.grant(EMAIL, 31 * DAY, 'en')
    time.now += 365 * DAY
    if (passed) await services.store.setMetadata('clock', String(time.now))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    for (const each of services.periodic) each.start()
    await vi.advanceTimersByTimeAsync(5000)
    vi.useRealTimers()
    const key = services.wrap.hash('email', canonicalEmail(EMAIL) ?? '')
    const noticeAt = async (): Promise<number | null> => (await services.store.subscriptions.findByEmail(key))!.noticeAt
    if (passed) await expect.poll(noticeAt).not.toBeNull()
    // One round of reads and writes is longer than the rest of the work that is under way.
    for (let i = 0; i < 20; i++) await services.store.check()
    return await noticeAt()
  } finally {
    await services.close()
    await rm(directory, { recursive: true })
  }
}

test(
  'ends subscriptions when the time has passed, but not when only the clock jumped ahead',
  { tags: ['slow'] },
  async () => {
    expect(await noticeAfter({ passed: true })).not.toBeNull()
    expect(await noticeAfter({ passed: false })).toBeNull()
  },
)
