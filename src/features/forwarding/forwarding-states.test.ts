import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MINUTE, HOUR, DAY } from '#core/time.ts'
import type { OpenAddress } from '#features/mailbox/index.ts'
import { codeOf } from '#test/support/codes.ts'
import {
  actionsOf,
  DAYS,
  type ForwardingFixture,
  LINK_HOURS,
  openForwardingFixture,
} from '#test/support/fixtures/forwarding.ts'
import { ENGINES, silentLogger } from '#test/support/fixtures/services.ts'
import { createForwardingFailures } from './forwarding-failures.ts'

describe.each(ENGINES)('the state of a forwarding, on %s', (engine) => {
  let fixture: ForwardingFixture
  beforeAll(async () => {
    fixture = await openForwardingFixture({ engine })
  })
  afterAll(() => fixture.close())

  const failures = () =>
    createForwardingFailures({
      store: fixture.store.forwardings,
      addresses: fixture.store.addresses,
      clock: () => fixture.time.now,
      logger: silentLogger,
      metrics: { count: () => {} },
      destinationLimits: { free: 1, subscription: 3 },
      bounces: { max: 2, within: DAY },
    })
  const { newDestination, list, only, ask, subscribed } = actionsOf(() => fixture)

  describe('the state', () => {
    test('is waiting for a day', async () => {
      const open = await fixture.open()
      await ask(open)
      expect(await fixture.forwardings.stateOf(open)).toBe('waiting')
      fixture.time.now += LINK_HOURS * HOUR - 1
      expect(await only(open)).toMatchObject({ state: 'waiting' })
      fixture.time.now += 1
      expect(await only(open)).toMatchObject({ state: 'ended', end: 'unconfirmed' })
      expect(await fixture.forwardings.stateOf(open)).toBe('off')
    })

    test('is on for seven days, for which the address does not expire', async () => {
      const free = await fixture.open()
      expect(await fixture.forwardings.stateOf(free)).toBe('off')
      await fixture.agree(free, newDestination())
      const open = await fixture.reread(free)
      const endsAt = fixture.time.now + DAYS * DAY
      expect(open.row.expiresAt).toBe(endsAt)
      expect(await only(open)).toMatchObject({ state: 'on', end: null, endsAt })
      expect(await fixture.forwardings.stateOf(open)).toBe('on')
      fixture.time.now = endsAt - 1
      expect(await only(open)).toMatchObject({ state: 'on' })
      fixture.time.now = endsAt
      expect(await only(open)).toMatchObject({ state: 'ended', end: 'expired', endsAt })
    })

    test('of a ten-minute address is on until the address expires', async () => {
      const open = await fixture.open({ lifetime: 'ten-minutes' })
      await fixture.agree(open, newDestination())
      expect((await fixture.reread(open)).row.expiresAt).toBe(open.row.expiresAt)
      expect(await only(open)).toMatchObject({ state: 'on', endsAt: open.row.expiresAt })
    })

    test.each([
      ['the owner', (open, { id }) => fixture.forwardings.end(open, id)],
      ['the reader', (_, { link }) => fixture.consent.act(link, 'stop')],
      ['the reader for ever', (_, { link }) => fixture.consent.act(link, 'never')],
      ['a complaint', (_, { id }) => failures().recordComplaint(id)],
      [
        'a mailbox that is gone',
        async (_, { id }) => {
          for (let i = 0; i < 2; i++) await failures().recordBounce(id)
        },
      ],
    ] as [string, (open: OpenAddress, agreed: Awaited<ReturnType<ForwardingFixture['agree']>>) => Promise<unknown>][])(
      'of one without a place stays ended if %s ends the one that has it',
      async (_, stop) => {
        const { ann, open } = await subscribed()
        const agreed = await fixture.agree(open, newDestination())
        for (let i = 0; i < 2; i++) {
          fixture.time.now += MINUTE
          await fixture.agree(open, newDestination())
        }
        await fixture.lapse(ann)
        await fixture.endings.align(ann.id)
        const now = await fixture.reread(open)
        expect((await list(now)).map(({ state }) => state)).toEqual(['on', 'ended', 'ended'])
        await stop(now, agreed)
        expect((await list(now)).map(({ state }) => state)).toEqual(['ended', 'ended', 'ended'])
      },
    )

    test('of an address of a subscription is on until a lapse, and on again after a renewal', async () => {
      const { ann, open } = await subscribed()
      await fixture.agree(open, newDestination())
      fixture.time.now += MINUTE
      await fixture.agree(open, newDestination())
      fixture.time.now += 400 * DAY
      const states = async () =>
        (await list(await fixture.reread(open))).map(({ state, end, endsAt }) => [state, end, endsAt])
      expect(await states()).toEqual([
        ['on', null, null],
        ['on', null, null],
      ])
      const lapsed = await fixture.lapse(ann)
      expect((await states()).map(([, end]) => end)).toEqual(['expired', 'expired'])
      await fixture.comeBack(lapsed)
      await fixture.store.keptAddresses.restore(ann.id, fixture.time.now)
      expect((await states()).map(([state]) => state)).toEqual(['on', 'on'])
    })

    test('stays on for the first destination if the subscription lapses within its week', async () => {
      const { ann, open } = await subscribed()
      await fixture.agree(open, newDestination())
      const endsAt = fixture.time.now + DAYS * DAY
      fixture.time.now += MINUTE
      await fixture.agree(open, newDestination())
      await fixture.lapse(ann)
      expect(await list(await fixture.reread(open))).toMatchObject([
        { state: 'on', endsAt },
        { state: 'ended', end: 'expired' },
      ])
    })
  })

  describe('pausing', () => {
    test('and resuming need no new consent before the forwarding expires', async () => {
      const open = await fixture.open()
      const to = newDestination()
      const { id } = await fixture.agree(open, to)
      const set = (paused: boolean) => fixture.forwardings.setPaused(open, id, paused)
      const endsAt = fixture.time.now + DAYS * DAY
      expect(await set(true)).toMatchObject({ id, state: 'paused', endsAt })
      expect(await set(true)).toMatchObject({ state: 'paused' })
      expect(await only(open)).toMatchObject({ state: 'paused' })
      expect(await fixture.forwardings.stateOf(open)).toBe('off')
      expect(await set(false)).toMatchObject({ state: 'on' })
      expect(await only(open)).toMatchObject({ state: 'on' })
      expect(await fixture.mailsTo(to)).toBe(1)
      await set(true)
      fixture.time.now = endsAt
      expect(await codeOf(set(false))).toBe('forwarding_not_found')
    })

    test('needs a forwarding that is on', async () => {
      const open = await fixture.open()
      const { id } = await ask(open)
      expect(await codeOf(fixture.forwardings.setPaused(open, id, true))).toBe('forwarding_not_found')
      expect(await codeOf(fixture.forwardings.setPaused(open, id, false))).toBe('forwarding_not_found')
      expect(await only(open)).toMatchObject({ state: 'waiting' })
    })
  })
})
