import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StoredWrap, WrappedColumn } from '#core/operating/wraps.ts'
import { DAY } from '#core/time.ts'
import { SealError } from '#mail/sealing/open.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { newEmail, subscribed } from '#store/suite/premium-fixtures.ts'
import { openMailboxFixture, type MailboxFixture } from '#test/support/fixtures/mailbox.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import { areWrapsBound, createBindWraps } from './bind-wraps.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: MailboxFixture
  beforeEach(async () => {
    fixture = await openMailboxFixture({ engine })
  })
  afterEach(() => fixture.close())

  /** A node on an upgraded database that has unbound values. */
  function node(key: Uint8Array, boundFrom = 1, isLeader = true) {
    const errors: object[] = []
    const log = (): void => {}
    const logger = { debug: log, info: log, warn: log, error: (fields: object) => void errors.push(fields) }
    const wrap = createWrap(key, boundFrom)
    const store = { ...fixture.store, isLeader: async () => isLeader }
    const bind = createBindWraps({ store, wrap, clock: Date.now, logger, boundFrom })
    return { wrap, errors, run: (stopping = new AbortController().signal) => bind(stopping), boundFrom }
  }
  const key = randomBytes(32)
  const old = createWrap(key)

  /** Stores emails and a subscription with unbound values. */
  async function before() {
    const emails = Array.from({ length: 230 }, (_, i) => newEmail({ sealed: old.wrap('letter', `email ${i}`) }))
    await fixture.store.emails.add(emails)
    const { id, emailKey } = await subscribed(fixture.store, { sealedEmail: old.wrap('email', 'zoe@example.com') })
    return { emails, id, emailKey }
  }
  const unbound = async (column: WrappedColumn): Promise<StoredWrap[]> => fixture.store.wraps.list(column, 1, 1000)

  test('binds all values to their rows; afterwards they open in no other row', async () => {
    const { emails, id, emailKey } = await before()
    const { wrap, run, boundFrom, errors } = node(key)
    expect(await areWrapsBound(fixture.store, boundFrom)).toBe(false)
    await run()
    expect([await unbound('emails.sealed'), await unbound('subscriptions.sealed_email')]).toEqual([[], []])
    const { sealedEmail } = (await fixture.store.subscriptions.find(id))!
    expect(wrap.unwrap('email', sealedEmail, emailKey)).toBe('zoe@example.com')
    expect(() => wrap.unwrap('email', sealedEmail, 'another')).toThrow(SealError)
    const bound = await fixture.store.wraps.list('emails.sealed', 2, 1000)
    expect(new Set(bound.map(({ row, sealed }) => wrap.unwrap('letter', sealed, row))).size).toBe(emails.length)
    // A node with a slow clock wrote this one during the run. It opens, and the next run binds it.
    await fixture.store.emails.add([newEmail({ sealed: old.wrap('letter', 'late') })])
    await run()
    expect([await unbound('emails.sealed'), await areWrapsBound(fixture.store, boundFrom)]).toEqual([[], false])
    expect(wrap.unwrap('letter', emails[0]!.sealed, 'any')).toContain('email')
    await run()
    expect(await areWrapsBound(fixture.store, boundFrom)).toBe(true)
    expect(() => wrap.unwrap('letter', emails[0]!.sealed, emails[0]!.id)).toThrow(SealError)
    // A value without a row is never bound.
    expect(wrap.unwrap('signing key', old.wrap('signing key', 'key'))).toBe('key')
    expect(errors).toEqual([])
  })

  test('only the leader binds, and every node then refuses unbound values', async () => {
    const { emails } = await before()
    const [leader, other] = [node(key), node(key, 1, false)]
    const moved = () => other.wrap.unwrap('letter', emails[0]!.sealed, emails[1]!.id)
    await other.run()
    expect(await unbound('emails.sealed')).toHaveLength(emails.length)
    for (let runs = 0; runs < 2; runs++) {
      await leader.run()
      expect(moved()).toBe('email 0')
    }
    await other.run()
    expect(moved).toThrow(SealError)
  })

  test('overlapping and interrupted runs lose nothing', async () => {
    const { emails } = await before()
    const stopping = new AbortController()
    stopping.abort()
    await node(key).run(stopping.signal)
    const nodes = [node(key), node(key)]
    await Promise.all(nodes.map(({ run }) => run()))
    await Promise.all(nodes.map(({ run }) => run()))
    const bound = await fixture.store.wraps.list('emails.sealed', 2, 1000)
    const texts = bound.map(({ row, sealed }) => nodes[0]!.wrap.unwrap('letter', sealed, row))
    expect(texts.toSorted()).toEqual(emails.map((_, i) => `email ${i}`).toSorted())
    expect(await areWrapsBound(fixture.store, 1)).toBe(true)
  })

  test('logs a damaged value and continues', async () => {
    await before()
    await fixture.store.emails.add([newEmail({ sealed: Buffer.concat([Buffer.of(1), randomBytes(50)]) })])
    const { run, errors } = node(key)
    await run()
    expect(errors).toMatchObject([{ column: 'emails.sealed' }])
    expect(await unbound('emails.sealed')).toHaveLength(1)
    await run()
    expect(await areWrapsBound(fixture.store, 1)).toBe(true)
  })

  test('waits while the version before may run, and has nothing to do in a new database', async () => {
    const { emails } = await before()
    await node(key, Date.now() + DAY).run()
    expect(await unbound('emails.sealed')).toHaveLength(emails.length)
    expect(await areWrapsBound(fixture.store, 0)).toBe(true)
    const { wrap, run } = node(key, 0)
    await run()
    expect(() => wrap.unwrap('letter', emails[0]!.sealed, emails[0]!.id)).toThrow(SealError)
  })
})
