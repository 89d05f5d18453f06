import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { Store } from '#core/store.ts'
import { MINUTE, HOUR, DAY } from '#core/time.ts'
import { codeOf } from '#test/support/codes.ts'
import { openMailboxFixture, PAGE, SCAN, type MailboxFixture } from '#test/support/fixtures/mailbox.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import type { OpenAddress } from './claims.ts'

let fixture: MailboxFixture
/** While true, writes to the store fail as on a full disk. */
let full = false
const orFull = async <T>(write: () => Promise<T>): Promise<T> => {
  if (full) throw new MayflyError('disk_full')
  return write()
}
/** While true, messages are listed as they were before their summaries were stored. */
let stale = false
const wrap = (store: Store): Store => ({
  ...store,
  addresses: { ...store.addresses, extend: (...args) => orFull(() => store.addresses.extend(...args)) },
  messages: {
    ...store.messages,
    attachSummaries: (all) => orFull(() => store.messages.attachSummaries(all)),
    async list(...args) {
      const rows = await store.messages.list(...args)
      return stale ? rows.map((row) => ({ ...row, sealedSummary: null })) : rows
    },
  },
})
let open: OpenAddress
let secret: string
beforeAll(async () => {
  fixture = await openMailboxFixture({ wrap })
})
afterAll(() => fixture.close())
beforeEach(async () => {
  full = false
  stale = false
  ;({ open, secret } = await fixture.addresses.create({}))
})

const deliver = (subject: string) =>
  fixture.deliver([open.address], `From: ${subject}@sender.example\r\nSubject: ${subject}\r\n\r\nhello\r\n`)
const list = async (query = {}) => {
  const { messages, next } = await fixture.messages.list(open, query)
  return { subjects: messages.map(({ subject }) => subject), next, messages }
}
const never = new AbortController().signal
test('notifies watchers of a message even if its summary cannot be stored', async () => {
  const notified = vi.fn()
  const stop = fixture.messages.watch(open, notified)
  full = true
  await deliver('kept')
  await vi.waitFor(() => expect(notified).toHaveBeenCalled(), PATIENCE)
  stop()
  expect((await list()).subjects).toEqual(['kept'])
})

test('keeps the check of the sender if the list makes a summary at the same time', async () => {
  await deliver('checked')
  await fixture.settled()
  stale = true
  const [made] = (await list()).messages
  stale = false
  const [stored] = (await list()).messages
  expect(made!.authentication.dmarc).toBe('pending')
  expect(stored!.authentication.dmarc).toBe('temperror')
})

describe('the list', () => {
  test.each([
    [PAGE - 1, 1],
    [PAGE, 1],
    [PAGE + 1, 2],
    [2 * PAGE, 2],
    [2 * PAGE + 1, 3],
  ])('splits %i messages into %i pages, and marks the last one', async (count, pages) => {
    for (let i = 0; i < count; i++) await deliver(`m${i}`)
    const seen: string[] = []
    let before: string | null | undefined
    for (let page = 1; before !== null; page++) {
      const { subjects, next } = await list({ before })
      expect(subjects.length).toBeGreaterThan(0)
      expect(next === null).toBe(page === pages)
      seen.push(...subjects)
      before = next
    }
    expect(seen).toEqual(Array.from({ length: count }, (_, i) => `m${count - 1 - i}`))
  })

  test('searches up to a maximum number of messages for a filter', async () => {
    await deliver('wanted')
    for (let i = 0; i < SCAN - 1; i++) await deliver('other')
    expect(await list({ subject: 'WANTED' })).toMatchObject({ subjects: ['wanted'], next: null })
    await deliver('other')
    const first = await list({ subject: 'wanted' })
    expect(first.subjects).toEqual([])
    expect(await list({ subject: 'wanted', before: first.next })).toMatchObject({ subjects: ['wanted'], next: null })
  })

  test('excludes the messages of `after` and `before`, even if they are gone', async () => {
    for (const subject of ['a', 'b', 'c']) await deliver(subject)
    const [, b] = (await list()).messages
    await fixture.messages.remove(open, b!.id)
    expect((await list({ after: b!.id })).subjects).toEqual(['c'])
    expect((await list({ before: b!.id })).subjects).toEqual(['a'])
  })

  test.each(['from', 'subject'])('matches %s literally', async (field) => {
    await deliver('100%_x')
    expect((await list({ [field]: '%' })).subjects).toEqual(['100%_x'])
    for (const part of ['.*', '1_0', '100%x']) expect((await list({ [field]: part })).subjects).toEqual([])
  })
})

describe('a store that can only read', () => {
  test('still serves the inbox and its messages when a visit is due to be stored', async () => {
    full = true
    await deliver('readable')
    fixture.time.now += 5 * MINUTE
    const visited = await fixture.addresses.open(secret)
    expect(visited?.row.expiresAt).toBe(open.row.expiresAt)
    expect((await list()).subjects).toEqual(['readable'])
    const [message] = (await list()).messages
    expect((await fixture.messages.read(open, message!.id)).content.text).toContain('hello')
    expect(await codeOf(fixture.addresses.extend(open))).toBe('disk_full')
    full = false
    expect((await fixture.addresses.open(secret))?.row.expiresAt).toBe(fixture.time.now + DAY)
  })
})

const wait = (query: Parameters<typeof fixture.messages.wait>[1], signal = never, options = {}) =>
  fixture.messages.wait(open, query, { seconds: 60, count: 1, signal, ...options })

describe('waiting', () => {
  test('waits for several messages, and returns those that were there before too', async () => {
    await deliver('match one')
    const waiting = wait({ subject: 'match' }, never, { count: 3 })
    await deliver('match two')
    await deliver('other')
    await deliver('match three')
    const { messages, unmet } = await waiting
    expect(messages.map(({ subject }) => subject)).toEqual(['match three', 'match two', 'match one'])
    expect(unmet).toMatchObject([{ subject: 'other', unmet: ['subject'] }])
  })

  test('names the conditions that messages did not meet', async () => {
    await deliver('one')
    await deliver('two')
    const query = { subject: '/^t/', from: 'nobody@', has: ['code' as const] }
    const { messages, unmet } = await wait(query, never, { seconds: 0 })
    expect(messages).toEqual([])
    expect(unmet).toMatchObject([
      { subject: 'two', unmet: ['from', 'has'] },
      { subject: 'one', unmet: ['from', 'subject', 'has'] },
    ])
  })

  test('stops when the signal aborts, before or during the wait', async () => {
    expect(await wait({}, AbortSignal.abort())).toEqual({ messages: [], next: null, unmet: [], seconds: 55 })
    const stop = new AbortController()
    const waiting = wait({}, stop.signal)
    stop.abort()
    expect(await waiting).toEqual({ messages: [], next: null, unmet: [], seconds: 55 })
  })

  test('continues after a message to another address or one that does not match', async () => {
    await fixture.addresses.create({ login: 'other.one' })
    const waiting = wait({ from: 'wanted@' })
    await fixture.deliver(['other.one@mayfly.test'])
    await deliver('other')
    await deliver('wanted')
    expect((await waiting).messages.map(({ subject }) => subject)).toEqual(['wanted'])
  })

  test('rejects with unauthorized when the address is deleted', async () => {
    const waiting = codeOf(wait({}))
    await fixture.addresses.remove(open)
    expect(await waiting).toBe('unauthorized')
  })
})

describe('after', () => {
  const after = (id: string) => codeOf(list({ after: id }))

  test('accepts a message that was deleted or has expired, however long ago', async () => {
    await deliver('deleted')
    await deliver('expired')
    const [expired, deleted] = (await list()).messages.map(({ id }) => id) as [string, string]
    await fixture.messages.remove(open, deleted)
    expect(await after(deleted)).toBe('fine')
    expect(await codeOf(wait({ after: deleted }, never, { seconds: 0 }))).toBe('fine')
    for (const passed of [DAY - 1, 1, HOUR, DAY, 300 * DAY]) {
      fixture.time.now += passed
      expect([await after(expired), await after(deleted)]).toEqual(['fine', 'fine'])
      await fixture.sweep.run()
      expect([await after(expired), await after(deleted)]).toEqual(['fine', 'fine'])
    }
  })

  test('rejects a message that the address never had', async () => {
    await deliver('here')
    const stranger = await fixture.addresses.create({})
    await fixture.deliver([stranger.open.address], 'Subject: elsewhere\r\n\r\nhello\r\n')
    const [elsewhere] = (await fixture.messages.list(stranger.open, {})).messages
    const [here] = (await list()).messages
    const unknown = [
      elsewhere!.id,
      here!.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      '0'.repeat(26),
      '7zzzzzzzzz'.padEnd(26, 'z'),
    ]
    for (const id of unknown) {
      expect(await after(id)).toBe('invalid_request')
      expect(await codeOf(wait({ after: id }))).toBe('invalid_request')
    }
  })
})

describe('a message', () => {
  test('of another address is not found by any method', async () => {
    await deliver('mine')
    const id = (await list()).messages[0]!.id
    const stranger = (await fixture.addresses.create({})).open
    const { messages } = fixture
    const attempts: (() => Promise<unknown>)[] = [
      () => messages.find(stranger, id),
      () => messages.read(stranger, id),
      () => messages.raw(stranger, id),
      () => messages.attachment(stranger, id, 0),
      () => messages.mark(stranger, id, { seen: true }),
      () => messages.remove(stranger, id),
    ]
    for (const attempt of attempts) expect(await codeOf(attempt())).toBe('message_not_found')
    expect((await list()).messages).toMatchObject([{ id, seen: false }])
  })

  test('that has expired is not found, even before a sweep', async () => {
    await deliver('old')
    const id = (await list()).messages[0]!.id
    fixture.time.now += 23 * HOUR
    await fixture.addresses.open(secret)
    expect((await fixture.messages.find(open, id)).subject).toBe('old')
    fixture.time.now += HOUR
    expect(await codeOf(fixture.messages.find(open, id))).toBe('message_not_found')
    expect(await codeOf(fixture.messages.raw(open, id))).toBe('message_not_found')
  })

  test('notifies watchers of each change, with increasing revisions', async () => {
    await deliver('watched')
    const id = (await list()).messages[0]!.id
    const nextChange = () => new Promise<void>((resolve) => fixture.messages.watch(open, resolve))
    const seen = nextChange()
    await fixture.messages.mark(open, id, { seen: true })
    await seen
    const { messages } = await fixture.messages.changes(open, 0)
    expect(messages).toMatchObject([{ summary: { id, seen: true } }])
    const gone = nextChange()
    await fixture.messages.remove(open, id)
    await gone
    const { deleted, messages: left } = await fixture.messages.changes(open, messages[0]!.revision)
    expect([deleted.map((each) => each.id), left]).toEqual([[id], []])
    expect(deleted[0]!.revision).toBeGreaterThan(messages[0]!.revision)
  })
})
