import { afterEach, describe, expect, test } from 'vitest'
import type { MessageKey } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import { codeOf } from '#test/support/codes.ts'
import { openMailboxFixture, type MailboxFixture } from '#test/support/fixtures/mailbox.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

let fixture: MailboxFixture
afterEach(() => fixture.close())

describe.each(ENGINES)('on %s', (engine) => {
  /**
   * Delivers two messages to one address. `bodies` maps the id of a message to the message whose body the store returns
   * instead.
   */
  async function deliverTwo() {
    const bodies = new Map<string, MessageKey>()
    const swapBodies = (store: Store): Store => ({
      ...store,
      messages: { ...store.messages, body: (message) => store.messages.body(bodies.get(message.id) ?? message) },
    })
    fixture = await openMailboxFixture({ engine, wrap: swapBodies })
    const { open } = await fixture.addresses.create({})
    for (const subject of ['first', 'second'])
      await fixture.deliver([open.address], `Subject: ${subject}\r\n\r\nYour code is 482913\r\n`)
    await fixture.settled()
    const rows = () => fixture.store.messages.list(open.row.id, { now: fixture.time.now, limit: 10 })
    const subjects = async () => (await fixture.messages.list(open, {})).messages.map(({ subject }) => subject)
    const [second, first] = await rows()
    return { open, rows, subjects, bodies, first: first!, second: second! }
  }

  test('rejects a body that was moved to another message, and serves everything else', async () => {
    const { open, subjects, bodies, first, second } = await deliverTwo()
    bodies.set(first.id, second)
    const calls = [
      fixture.messages.read(open, first.id),
      fixture.messages.raw(open, first.id),
      fixture.messages.attachment(open, first.id, 0),
      fixture.messages.frame(open, first.id, { view: 'text', remote: false }),
    ]
    expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'message_damaged'))
    expect(await subjects()).toEqual(['second', 'first'])
    expect((await fixture.messages.read(open, second.id)).content.text).toContain('482913')
    await fixture.messages.mark(open, first.id, { seen: true })
    await fixture.messages.remove(open, first.id)
    expect(await subjects()).toEqual(['second'])
  })

  test('makes a summary again if the stored one is damaged or was moved from another message', async () => {
    const { open, rows, subjects, first, second } = await deliverTwo()
    const body = (await fixture.store.messages.body(first))!
    for (const sealedSummary of [second.sealedSummary!, body, new Uint8Array([2, 9, 9])]) {
      await fixture.store.messages.attachSummaries([{ ...first, sealedSummary }])
      expect(await subjects()).toEqual(['second', 'first'])
      expect((await rows())[1]?.sealedSummary).not.toEqual(sealedSummary)
      await fixture.store.messages.attachSummaries([{ ...first, sealedSummary }])
      expect((await fixture.messages.read(open, first.id)).summary.subject).toBe('first')
      await fixture.settled()
    }
  })

  test('lists a message as unreadable if neither its body nor its summary opens', async () => {
    const { open, subjects, bodies, first, second } = await deliverTwo()
    bodies.set(first.id, second)
    await fixture.store.messages.attachSummaries([{ ...first, sealedSummary: second.sealedSummary! }])
    expect(await subjects()).toEqual(['second', ''])
    expect((await fixture.messages.find(open, first.id)).unreadable).toBe(true)
    const { messages } = await fixture.messages.changes(open, 0)
    expect(messages.map(({ summary }) => summary.unreadable).toSorted()).toEqual([false, true])
    // The result is not stored, so the message is readable again after a temporary fault.
    bodies.clear()
    expect(await subjects()).toEqual(['second', 'first'])
  })

  test('gives a message that a later one overtook a higher id, and can open it', async () => {
    const { open, subjects } = await deliverTwo()
    const { append } = fixture.store.messages
    let tries = 0
    fixture.store.messages.append = async (messages) => {
      if (++tries > 3) return append(messages)
      const [newest] = await fixture.store.messages.list(open.row.id, { now: fixture.time.now, limit: 1 })
      return messages.map(() => ({ after: newest!.id }))
    }
    await fixture.deliver([open.address], 'Subject: third\r\n\r\nlate\r\n')
    await fixture.settled()
    expect(tries).toBe(4)
    expect(await subjects()).toEqual(['third', 'second', 'first'])
    const { messages } = await fixture.messages.list(open, {})
    expect((await fixture.messages.read(open, messages[0]!.id)).content.text).toContain('late')
  })

  test('rejects a message temporarily if later ones overtake it every time, and stores nothing', async () => {
    const { open, subjects, second } = await deliverTwo()
    fixture.store.messages.append = async (messages) => messages.map(() => ({ after: second.id }))
    expect(await codeOf(fixture.deliver([open.address]))).toBe('store_unavailable')
    expect(await subjects()).toEqual(['second', 'first'])
  })
})
