import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Subscription } from '#core/billing/subscription.ts'
import { DAY, HOUR, MINUTE } from '#core/time.ts'
import { FAILING, INTERVAL, openOwnDomainFixture, type OwnDomainFixture } from '#test/support/fixtures/own-domains.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('the periodic check, on %s', (engine) => {
  let own: OwnDomainFixture
  let ada: Subscription
  let domain: string
  let count = 0
  beforeAll(async () => {
    own = await openOwnDomainFixture({ engine })
  })
  afterAll(() => own.close())
  beforeEach(async () => {
    const { due, remove } = own.store.ownDomains
    for (const each of await due(Number.MAX_SAFE_INTEGER, 1000)) await remove(each.subscriptionId, each.name)
    domain = `own${count++}.example`
    ada = await own.subscribe()
    await own.own(ada, domain)
    own.asked.length = 0
  })
  const view = async () => (await own.list(ada))[0]!
  const isAccepted = async (): Promise<boolean> => {
    own.forget(domain)
    return (await own.recipient(domain)) !== undefined
  }
  const run = () => own.recheck(new AbortController().signal)
  const advance = (milliseconds: number): number => (own.time.now += milliseconds)
  const lookups = (): number => own.asked.filter((each) => each === `${domain} MX`).length

  test('looks a domain up once per interval', async () => {
    advance(INTERVAL)
    await run()
    expect(lookups()).toBe(0)
    const checkedAt = advance(1)
    await run()
    await run()
    expect(lookups()).toBe(1)
    expect(await view()).toMatchObject({ state: 'verified', checkedAt })
  })

  test('accepts messages for a limited time after the records disappeared, until a look-up frees the domain', async () => {
    await own.point(domain)
    const since = advance(INTERVAL + 1)
    await run()
    expect(await view()).toMatchObject({ state: 'failing', checkedAt: since })
    expect((await view()).records.map(({ found }) => found)).toEqual([false, false])
    expect(await isAccepted()).toBe(true)
    advance(INTERVAL + 1)
    await run()
    own.time.now = since + FAILING - 1
    expect([(await view()).state, await isAccepted()]).toEqual(['failing', true])
    advance(1)
    expect([(await view()).state, await isAccepted()]).toEqual(['failing', true])
    await run()
    expect([(await view()).state, await isAccepted()]).toEqual(['pending', false])
    expect(await own.store.ownDomains.find(ada.id, domain)).toMatchObject({ state: 'pending', failingSince: null })
    expect(await own.store.ownDomains.owner(domain)).toBeUndefined()
    advance(INTERVAL + 1)
    own.asked.length = 0
    await run()
    expect(lookups()).toBe(0)
    await own.point(domain, ada)
    expect((await own.check(ada, domain)).state).toBe('verified')
    expect(await isAccepted()).toBe(true)
  })

  test('verifies the domain when the records reappear, and restarts the time at the next failure', async () => {
    await own.point(domain)
    advance(INTERVAL + 1)
    await run()
    await own.point(domain, ada)
    advance(INTERVAL + 1)
    await run()
    expect(await view()).toMatchObject({ state: 'verified' })
    await own.point(domain)
    const since = advance(INTERVAL + 1)
    await run()
    expect(await own.store.ownDomains.find(ada.id, domain)).toMatchObject({ state: 'failing', failingSince: since })
  })

  test('looks a failing domain up every hour, so that records that return before the end are found', async () => {
    await own.point(domain)
    const since = advance(INTERVAL + 1)
    await run()
    own.time.now = since + FAILING - HOUR - 2
    await run()
    own.asked.length = 0
    advance(HOUR)
    await run()
    expect(lookups()).toBe(0)
    await own.point(domain, ada)
    advance(1)
    await run()
    expect([(await view()).state, await isAccepted()]).toEqual(['verified', true])
  })

  test('refuses nothing after the end if the records returned before it, but were not looked up yet', async () => {
    await own.point(domain)
    const since = advance(INTERVAL + 1)
    await run()
    own.time.now = since + FAILING - MINUTE
    await run()
    await own.point(domain, ada)
    own.time.now = since + FAILING
    await run()
    expect(await isAccepted()).toBe(true)
    advance(HOUR)
    await run()
    expect([(await view()).state, await isAccepted()]).toEqual(['verified', true])
  })

  test('looks a failing domain up an hour after a look-up without an answer', async () => {
    await own.point(domain)
    advance(INTERVAL + 1)
    await run()
    own.zone[`${domain} MX`] = 'servfail'
    advance(HOUR + 1)
    await run()
    await own.point(domain, ada)
    advance(HOUR + 1)
    await run()
    expect((await view()).state).toBe('verified')
  })

  test('looks a domain up daily again if its name servers do not respond for a day after the end', async () => {
    await own.point(domain)
    const since = advance(INTERVAL + 1)
    await run()
    own.zone[`${domain} MX`] = 'servfail'
    own.time.now = since + FAILING + DAY - HOUR
    await run()
    expect([(await view()).state, await isAccepted()]).toEqual(['failing', true])
    own.asked.length = 0
    advance(HOUR + 1)
    await run()
    expect([lookups(), (await view()).state, await isAccepted()]).toEqual([0, 'pending', false])
    await own.point(domain, ada)
    advance(INTERVAL)
    await run()
    expect((await view()).state).toBe('verified')
  })

  test('returns what another check found meanwhile, and keeps it', async () => {
    await own.point(domain)
    advance(INTERVAL + 1)
    await run()
    const { recordCheck } = own.store.ownDomains
    const spy = vi.spyOn(own.store.ownDomains, 'recordCheck').mockImplementationOnce(async (...check) => {
      await own.point(domain, ada)
      advance(1)
      expect((await own.check(ada, domain)).state).toBe('verified')
      return recordCheck(...check)
    })
    advance(1)
    expect((await own.check(ada, domain)).state).toBe('verified')
    spy.mockRestore()
    expect(await view()).toMatchObject({ state: 'verified', checkedAt: own.time.now })
  })

  test('does not take back what a later check found', async () => {
    await own.point(domain)
    advance(INTERVAL + 1)
    await run()
    own.zone[`${domain} MX`] = 'silence'
    own.asked.length = 0
    advance(INTERVAL + 1)
    const running = run()
    await expect.poll(() => own.asked).toContain(`${domain} MX`)
    await own.point(domain, ada)
    const checkedAt = advance(1)
    expect((await own.check(ada, domain)).state).toBe('verified')
    advance(1)
    await running
    expect(await view()).toMatchObject({ state: 'verified', checkedAt })
  })

  test.each(['servfail', 'silence'] as const)('changes nothing if a name server responds with %s', async (answer) => {
    own.zone[`_mayfly.${domain} TXT`] = []
    own.zone[`${domain} MX`] = answer
    advance(INTERVAL + 1)
    await run()
    expect(await view()).toMatchObject({ state: 'verified' })
    expect((await view()).records.map(({ found }) => found)).toEqual([true, true])
    own.zone[`${domain} MX`] = []
    const since = advance(INTERVAL + 1)
    await run()
    own.zone[`${domain} MX`] = answer
    advance(INTERVAL + 1)
    await run()
    expect(await own.store.ownDomains.find(ada.id, domain)).toMatchObject({ state: 'failing', failingSince: since })
  })

  test('gives a failing domain to another subscriber who proves it, and does not give it back for old records', async () => {
    await own.point(domain)
    advance(INTERVAL + 1)
    await run()
    const ben = await own.subscribe()
    expect((await own.own(ben, domain)).state).toBe('verified')
    expect((await view()).state).toBe('pending')
    await own.point(domain, ada, ben)
    advance(INTERVAL + 1)
    await run()
    expect((await view()).state).toBe('pending')
    expect((await own.list(ben))[0]?.state).toBe('verified')
    await expect(own.check(ada, domain)).rejects.toMatchObject({ code: 'domain_owned' })
  })

  test('checks all due domains even if many do not respond', async () => {
    const names = Array.from({ length: 45 }, (_, i) => `${i}.${domain}`)
    for (const name of names) await own.own(await own.subscribe(), name)
    for (const name of names.slice(0, 43)) own.zone[`${name} MX`] = 'servfail'
    own.asked.length = 0
    advance(INTERVAL + 1)
    await run()
    for (const name of names) {
      expect(own.asked).toContain(`_mayfly.${name} TXT`)
      expect(await own.store.ownDomains.owner(name)).toMatchObject({
        state: 'verified',
        checkedAt: own.time.now,
      })
    }
    expect(own.asked.filter((each) => each.startsWith('_mayfly.'))).toHaveLength(names.length + 1)
  })

  test('changes nothing when it is aborted', async () => {
    const patient = await openOwnDomainFixture({ engine, lookupTimeout: 10 * MINUTE })
    const ben = await patient.subscribe()
    const name = `late.${domain}`
    const before = await patient.own(ben, name)
    patient.zone[`${name} MX`] = 'silence'
    patient.asked.length = 0
    const stopping = new AbortController()
    patient.time.now += INTERVAL + 1
    const running = patient.recheck(stopping.signal)
    await expect.poll(() => patient.asked).toContain(`${name} MX`)
    stopping.abort()
    await patient.cancel()
    await running
    expect(await patient.list(ben)).toContainEqual(before)
    await patient.close()
  })
})
