import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  actsIn,
  DAYS,
  type ForwardingCases,
  LINK_HOURS,
  openForwardingCases,
} from '#test/support/fixtures/forwarding.ts'
import { codeOf } from '#test/support/fixtures/kept-addresses.ts'
import { DAY, ENGINES, HOUR, MINUTE } from '#test/support/fixtures/use-cases.ts'

describe.each(ENGINES)('where a forwarding stands, on %s', (engine) => {
  let house: ForwardingCases
  beforeAll(async () => {
    house = await openForwardingCases({ engine })
  })
  afterAll(() => house.close())

  const { somebody, list, only, ask, subscribed } = actsIn(() => house)

  describe('states', () => {
    test('waits for a day, to the millisecond', async () => {
      const open = await house.open()
      await ask(open)
      expect(await house.forwardings.glance(open)).toBe('waiting')
      house.time.now += LINK_HOURS * HOUR - 1
      expect(await only(open)).toMatchObject({ state: 'waiting' })
      house.time.now += 1
      expect(await only(open)).toMatchObject({ state: 'ended', end: 'unconfirmed' })
      expect(await house.forwardings.glance(open)).toBe('off')
    })

    test('on for seven days, to the millisecond; the address lives so long without a visit', async () => {
      const free = await house.open()
      expect(await house.forwardings.glance(free)).toBe('off')
      await house.agree(free, somebody())
      const open = await house.reread(free)
      const endsAt = house.time.now + DAYS * DAY
      expect(open.row.expiresAt).toBe(endsAt)
      expect(await only(open)).toMatchObject({ state: 'on', end: null, endsAt })
      expect(await house.forwardings.glance(open)).toBe('on')
      house.time.now = endsAt - 1
      expect(await only(open)).toMatchObject({ state: 'on' })
      house.time.now = endsAt
      expect(await only(open)).toMatchObject({ state: 'ended', end: 'expired', endsAt })
    })

    test('of ten minutes: as long as the address', async () => {
      const open = await house.open({ lifetime: 'ten-minutes' })
      await house.agree(open, somebody())
      expect((await house.reread(open)).row.expiresAt).toBe(open.row.expiresAt)
      expect(await only(open)).toMatchObject({ state: 'on', endsAt: open.row.expiresAt })
    })

    test('of a subscription: as long as that; a lapse leaves the first for its week, and paying again restores all', async () => {
      const { ann, open } = await subscribed()
      await house.agree(open, somebody())
      house.time.now += MINUTE
      await house.agree(open, somebody())
      house.time.now += 400 * DAY
      const states = async () =>
        (await list(await house.reread(open))).map(({ state, end, endsAt }) => [state, end, endsAt])
      expect(await states()).toEqual([
        ['on', null, null],
        ['on', null, null],
      ])
      const lapsed = await house.lapse(ann)
      expect((await states()).map(([, end]) => end)).toEqual(['expired', 'expired'])
      await house.comeBack(lapsed)
      await house.store.keptAddresses.restore(ann.id, house.time.now)
      expect((await states()).map(([state]) => state)).toEqual(['on', 'on'])
    })

    test('a lapse within the week leaves the first to agree its time', async () => {
      const { ann, open } = await subscribed()
      await house.agree(open, somebody())
      const endsAt = house.time.now + DAYS * DAY
      house.time.now += MINUTE
      await house.agree(open, somebody())
      await house.lapse(ann)
      expect(await list(await house.reread(open))).toMatchObject([
        { state: 'on', endsAt },
        { state: 'ended', end: 'expired' },
      ])
    })
  })

  describe('pausing', () => {
    test('stops and goes on without asking again, as long as the time lasts', async () => {
      const open = await house.open()
      const to = somebody()
      const { id } = await house.agree(open, to)
      const set = (paused: boolean) => house.forwardings.setPaused(open, id, paused)
      const endsAt = house.time.now + DAYS * DAY
      expect(await set(true)).toMatchObject({ id, state: 'paused', endsAt })
      expect(await set(true)).toMatchObject({ state: 'paused' })
      expect(await only(open)).toMatchObject({ state: 'paused' })
      expect(await house.forwardings.glance(open)).toBe('off')
      expect(await set(false)).toMatchObject({ state: 'on' })
      expect(await only(open)).toMatchObject({ state: 'on' })
      expect(await house.mailsTo(to)).toBe(1)
      await set(true)
      house.time.now = endsAt
      expect(await codeOf(set(false))).toBe('forwarding_not_found')
    })

    test('needs one that is on', async () => {
      const open = await house.open()
      const { id } = await ask(open)
      expect(await codeOf(house.forwardings.setPaused(open, id, true))).toBe('forwarding_not_found')
      expect(await codeOf(house.forwardings.setPaused(open, id, false))).toBe('forwarding_not_found')
      expect(await only(open)).toMatchObject({ state: 'waiting' })
    })
  })
})
