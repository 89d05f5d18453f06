import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type EmailContent, MailRefused, type Outbound } from '#core/email/email.ts'
import { MINUTE, HOUR, DAY } from '#core/time.ts'
import { type AccountFixture, LINK_MINUTES, openAccountFixture, SITE } from '#test/support/fixtures/account.ts'
import { translations } from '#test/support/fixtures/email-texts.ts'
import { sendDue } from '#test/support/fixtures/send-emails.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { createEmailSender } from './email-sender.ts'

const EMAIL = 'ann@example.com'
const ended: EmailContent = { kind: 'ended', url: `${SITE}/en/premium` }
const signIn: EmailContent = { kind: 'sign-in', url: `${SITE}/en/account?link=x`, minutes: LINK_MINUTES }
const LINK_HOURS = 1
const confirm: EmailContent = { kind: 'forwarding-confirm', url: `${SITE}/en/forwarded?confirm=x`, hours: LINK_HOURS }
const TIMEOUT = MINUTE

describe.each(ENGINES)('on %s', (engine) => {
  let cases: AccountFixture
  let send = vi.fn<Outbound['send']>()
  beforeEach(async () => {
    cases = await openAccountFixture({
      engine,
      outbound(outbox) {
        send = vi.fn<Outbound['send']>((mail) => outbox.send(mail))
        return { ...outbox, send }
      },
    })
  })
  afterEach(() => cases.close())

  const add = (content: EmailContent = ended) => cases.emails.add(cases.emails.queue(EMAIL, 'en', content))
  const waiting = () => cases.store.emails.waiting()
  const metric = async (name: string): Promise<number> =>
    Number(new RegExp(`mayfly_${name} (\\d+)`).exec((await cases.metrics.render()).body)?.[1] ?? 0)
  const failing = (error: Error): void => void send.mockRejectedValue(error)

  test('keeps an email until it is sent', async () => {
    await add()
    expect(await waiting()).toBe(1)
    await cases.sendEmails()
    const mail = await cases.outbox.next(EMAIL, 'ended')
    expect(mail.link.href).toBe(ended.url)
    expect((await stat(join(cases.directory, 'outbox', mail.file))).mode & 0o777).toBe(0o600)
    expect(await waiting()).toBe(0)
    expect(await metric('letters_sent_total{kind="ended"}')).toBe(1)
    await cases.sendEmails()
    expect(await cases.outbox.all()).toHaveLength(1)
  })

  /** Lets the relay fail until an email is given up. Returns the waits between the tries, and how long it was tried. */
  async function tried(content: EmailContent, days = 7) {
    await add(content)
    failing(new Error('down'))
    const postpone = vi.spyOn(cases.store.emails, 'postpone')
    const begin = cases.time.now
    const waits: number[] = []
    for (await cases.sendEmails(); (await waiting()) > 0; await cases.sendEmails()) {
      const [, dueAt = 0] = postpone.mock.lastCall ?? []
      waits.push((dueAt - cases.time.now) / MINUTE)
      const tries = send.mock.calls.length
      cases.time.now = dueAt - 1
      await cases.sendEmails()
      expect(send).toHaveBeenCalledTimes(tries)
      // Not every try of two weeks, only those near the end.
      const isNearEnd = dueAt > begin + (days - 1 / 4) * DAY
      cases.time.now = waits.length < 10 || isNearEnd ? dueAt : dueAt + 5 * HOUR
    }
    expect(await metric(`letters_failed_total{kind="${content.kind}"}`)).toBe(1)
    return { waits, time: cases.time.now - begin }
  }

  test('retries a failed email with doubled delays', async () => {
    expect((await tried(ended)).waits.slice(0, 9)).toEqual([0.5, 1, 2, 4, 8, 16, 32, 60, 60])
  })

  const payment = {
    plan: 'month',
    total: { amount: 900, currency: 'USD' },
    paidAt: 0,
    paidUntil: 0,
    url: SITE,
  } as const
  test.each<[EmailContent, number, number]>([
    // An email that its reader can ask for again, and those about money and the end of addresses, which nobody repeats.
    [{ kind: 'forwarding-on', url: SITE, until: null }, 0, 1],
    [{ kind: 'forwarding-confirm', url: SITE, hours: 48 }, 0, 1],
    [{ kind: 'receipt', ...payment, renews: true }, 0, 7],
    [{ kind: 'renewal', ...payment, renews: true }, 0, 7],
    [{ kind: 'renewal-failed', until: 0, url: SITE }, 0, 7],
    [ended, 0, 7],
    // What says when addresses lapse, until then.
    [{ kind: 'renewal-failed', until: 0, lapsesAt: 0, url: SITE }, 9, 9],
    [{ kind: 'notice', lapsesAt: 0, url: SITE }, 14, 14],
    [{ kind: 'notice', lapsesAt: 0, url: SITE }, 2, 2],
    [{ kind: 'notice', lapsesAt: 0, url: SITE }, 0.1, 1],
  ])('retries $kind for as long as it is useful (%#)', async (content, lapse, days) => {
    if ('lapsesAt' in content) content.lapsesAt = cases.time.now + lapse * DAY
    const { time } = await tried(content, days)
    expect(time).toBeLessThan(days * DAY)
    expect(time + HOUR).toBeGreaterThanOrEqual(days * DAY)
  })

  test('spreads the retries', async () => {
    await Promise.all(Array.from({ length: 20 }, () => add()))
    failing(new Error('down'))
    const random = vi.fn<() => number>()
    const postponed: number[] = []
    const store = {
      ...cases.store.emails,
      postpone: async (_id: string, dueAt: number) => void postponed.push(dueAt - cases.time.now),
    }
    const { wrap, metrics } = cases
    const settings = { from: 'a@b.example', siteUrl: () => SITE, freeHours: 24 }
    const clock = () => cases.time.now
    const logger = { debug() {}, info() {}, warn() {}, error() {} }
    const outbound = { send, close: async () => {} }
    const sign = async (raw: Uint8Array) => raw
    random.mockReturnValueOnce(0).mockReturnValueOnce(0.999).mockReturnValue(0.5)
    const deps = {
      store,
      subscriptions: cases.store.subscriptions,
      outbound,
      sign,
      wrap,
      clock,
      logger,
      metrics,
      settings,
      random,
      timeout: TIMEOUT,
      retryFor: DAY,
    }
    await sendDue(createEmailSender(deps))
    expect([Math.min(...postponed), Math.max(...postponed)]).toEqual([15_015, 30_000])
    expect(postponed).toHaveLength(20)
  })

  test.each([signIn, confirm])('gives a link up when it no longer works: $kind', async (content) => {
    await add(content)
    failing(new Error('down'))
    const useful = content.kind === 'sign-in' ? LINK_MINUTES : 60 * LINK_HOURS
    for (let i = 0; i < 2 * useful; i++) {
      await cases.sendEmails()
      cases.time.now += MINUTE / 2
    }
    expect(await waiting()).toBe(0)
    expect(send.mock.calls.length).toBeLessThan(9)
    expect(await metric(`letters_failed_total{kind="${content.kind}"}`)).toBe(1)
  })

  test('gives a permanently rejected email up at once', async () => {
    await add()
    failing(new MailRefused('no such mailbox'))
    await cases.sendEmails()
    expect(await waiting()).toBe(0)
    expect(send).toHaveBeenCalledOnce()
  })

  test('sends an email once with several nodes', async () => {
    await Promise.all(Array.from({ length: 30 }, () => add()))
    await Promise.all(Array.from({ length: 5 }, () => cases.sendEmails()))
    await cases.sendEmails()
    expect(send).toHaveBeenCalledTimes(30)
    expect(await waiting()).toBe(0)
  })

  test('sends the same email again if the node dies before it is removed', async () => {
    await add()
    const dead = cases.store.emails.remove
    cases.store.emails.remove = async () => {
      throw new Error('the node died')
    }
    await expect(cases.sendEmails()).rejects.toThrow('the node died')
    cases.store.emails.remove = dead
    cases.time.now += 2 * TIMEOUT - 1
    await cases.sendEmails()
    expect(send).toHaveBeenCalledOnce()
    cases.time.now += 1
    await cases.sendEmails()
    expect(send).toHaveBeenCalledTimes(2)
    const [first, second] = await cases.outbox.all()
    expect(first!.messageId).toMatch(/^<[\w-]{22}@mayfly\.example>$/)
    for (const field of ['messageId', 'date', 'subject', 'html'] as const) expect(second![field]).toBe(first![field])
    expect(await waiting()).toBe(0)
  })

  test('gives up an email that is wrapped with another key, and sends the others', async () => {
    await cases.store.emails.add([{ id: 'x'.repeat(22), sealed: Buffer.from('nothing'), createdAt: cases.time.now }])
    await add()
    await cases.sendEmails()
    expect(await cases.outbox.all()).toHaveLength(1)
    expect(await waiting()).toBe(0)
    expect(await metric('letters_failed_total{kind="unknown"}')).toBe(1)
  })

  test('wraps recipient and content of a waiting email', async () => {
    const { sealed } = cases.emails.queue(EMAIL, 'en', signIn)
    for (const secret of [EMAIL, 'link=x', 'sign-in']) expect(Buffer.from(sealed).includes(secret)).toBe(false)
  })

  test('sends emails at once after the start, and keeps them after the stop', async () => {
    await add()
    cases.emails.start(translations)
    await cases.outbox.next(EMAIL)
    await add()
    await cases.outbox.next(EMAIL)
    await cases.emails.stop(1000)
    await add()
    expect(await cases.outbox.all()).toHaveLength(2)
    expect(await waiting()).toBe(1)
  })

  test('sends an email while another one is being sent', async () => {
    const gate = Promise.withResolvers<void>()
    send.mockImplementationOnce(() => gate.promise)
    cases.emails.start(translations)
    await add()
    await vi.waitFor(() => expect(send).toHaveBeenCalledOnce(), PATIENCE)
    await add()
    await cases.outbox.next(EMAIL)
    // The email arrives before its sender removes it from the table.
    await vi.waitFor(async () => expect(await waiting()).toBe(1), PATIENCE)
    gate.resolve()
    await vi.waitFor(async () => expect(await waiting()).toBe(0), PATIENCE)
  })

  test('waits in stop for an email that is being sent, at most for the grace time', async () => {
    const gate = Promise.withResolvers<void>()
    send.mockImplementationOnce(() => gate.promise)
    cases.emails.start(translations)
    await add()
    await vi.waitFor(() => expect(send).toHaveBeenCalledOnce(), PATIENCE)
    const order: string[] = []
    const short = cases.emails.stop(20).then(() => order.push('short'))
    const long = cases.emails.stop(60_000).then(() => order.push('long'))
    await short
    expect(order).toEqual(['short'])
    gate.resolve()
    await long
    expect(await waiting()).toBe(0)
  })
})
