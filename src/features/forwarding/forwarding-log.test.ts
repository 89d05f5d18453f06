import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ForwardingOutcome } from '#core/forwarding/forwarding.ts'
import { DAY } from '#core/time.ts'
import type { OpenAddress } from '#features/mailbox/claims.ts'
import { type ForwardingFixture, LOG_PAGE, openForwardingFixture } from '#test/support/fixtures/forwarding.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('the log of forwarded messages, on %s', (engine) => {
  let fixture: ForwardingFixture
  beforeAll(async () => {
    fixture = await openForwardingFixture({ engine })
  })
  afterAll(() => fixture.close())

  const jobIds = async ({ row }: OpenAddress): Promise<string[]> =>
    (await fixture.store.forwardingJobs.log(row.id, { limit: 100 })).map(({ id }) => id)
  /** Delivers a message. Returns its forwarding jobs, one for each destination, in the order of the confirmations. */
  async function deliver(open: OpenAddress, subject: string): Promise<string[]> {
    fixture.time.now += 1000
    const before = await jobIds(open)
    await fixture.deliver([open.address], `From: Shop <shop@sender.example>\r\nSubject: ${subject}\r\n\r\nhello\r\n`)
    return (await jobIds(open)).filter((id) => !before.includes(id)).toReversed()
  }
  const log = (open: OpenAddress, before?: string) => fixture.forwardings.log(open, { before })
  /** Finishes a job as the sender does. */
  async function finish(id: string, outcome: ForwardingOutcome, status: string | null = null): Promise<void> {
    const now = ++fixture.time.now
    const due = await fixture.store.forwardingJobs.take(now, now + 1, { limit: 10, except: [] })
    for (const job of due.filter((each) => each.id === id))
      await fixture.store.forwardingJobs.finish(job, outcome, now, status)
  }

  test('lists the outcome of each message in pages, newest first', async () => {
    const { open } = await fixture.kept.create(await fixture.subscribe(), {})
    const [one, two] = ['one@real.example', 'two@real.example']
    await fixture.agree(open, one)
    expect(await log(open)).toEqual({ entries: [], next: null })
    const [older = ''] = await deliver(open, 'Older')
    await fixture.agree(open, two)
    const [done = '', waits = ''] = await deliver(open, 'Newer')
    await finish(older, 'refused', '5.1.1')
    await finish(done, 'sent')
    const page = await log(open)
    const { messages } = await fixture.messages.list(open, {})
    const newer = { id: messages[0]!.id, from: { name: 'Shop', address: 'shop@sender.example' }, subject: 'Newer' }
    expect(page.entries.map(({ id, destination, outcome, status }) => [id, destination, outcome, status])).toEqual([
      [waits, two, null, null],
      [done, one, 'sent', null],
    ])
    expect(page.entries.map(({ message }) => message)).toEqual([newer, newer])
    expect(page.entries[0]!.nextTryAt).not.toBeNull()
    expect(page.entries[1]!.nextTryAt).toBeNull()
    expect(page.entries).toHaveLength(LOG_PAGE)
    expect(page.next).toBe(done)
    const rest = await log(open, page.next!)
    expect(rest).toMatchObject({
      entries: [{ id: older, destination: one, outcome: 'refused', status: '5.1.1', message: { subject: 'Older' } }],
      next: null,
    })
  })

  test('keeps an entry after its message has expired, and belongs to one address', async () => {
    const [open, other] = [await fixture.open(), await fixture.open()]
    const to = 'three@real.example'
    await fixture.agree(open, to)
    await deliver(open, 'Short-lived')
    expect((await log(other)).entries).toEqual([])
    await fixture.settled()
    fixture.time.now += DAY + 1
    expect((await log(open)).entries).toMatchObject([{ destination: to, message: null }])
  })
})
