import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { MayflyError, smtpReply } from '#core/errors.ts'
import type { AddressId } from '#core/ids.ts'
import type { Store } from '#core/store.ts'
import { HOUR, DAY } from '#core/time.ts'
import {
  mailOf,
  openSenderFixture,
  PER_DAY,
  PER_HOUR,
  type SenderFixture,
} from '#test/support/fixtures/forwarding-sender.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: SenderFixture
  let destinations = 0
  const newDestination = () => `reader-${++destinations}@real.example`
  const listed = vi.fn<(id: AddressId) => void>()
  const wrap = (store: Store): Store => ({
    ...store,
    forwardings: {
      ...store.forwardings,
      async list(id) {
        listed(id)
        return store.forwardings.list(id)
      },
    },
  })
  beforeAll(async () => {
    fixture = await openSenderFixture({ engine, wrap })
  })
  afterAll(() => fixture.close())

  const replyTo = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'accepted',
      (error: unknown) => smtpReply(error),
    )
  const reached = () => fixture.relay.received.map(({ to }) => to)

  test('looks up only addresses that forward, and rejects the message temporarily if that fails', async () => {
    const { open: plain } = await fixture.addresses.create({})
    await fixture.deliver([plain.address], mailOf('x'))
    expect(listed).not.toHaveBeenCalled()

    const { open } = await fixture.forwarded(newDestination())
    listed.mockImplementation((id) => {
      if (id === open.row.id) throw new MayflyError('store_unavailable')
    })
    expect(await replyTo(fixture.deliver([open.address, plain.address], mailOf('y')))).toContain('451 4.3.0')
    listed.mockReset()
    await expect.poll(async () => (await fixture.messages.list(plain, {})).messages.length).toBe(1)
    expect((await fixture.messages.list(open, {})).messages).toEqual([])
    expect(await fixture.outcomes(open)).toEqual([])
  })

  test('a free address forwards to the first destination that confirmed, for a week', async () => {
    const [first, second] = [newDestination(), newDestination()]
    const { open } = await fixture.forwarded(first)
    fixture.time.now += 1
    await fixture.forward(open, second)
    await fixture.deliver([open.address], mailOf('x'))
    await expect.poll(() => fixture.outcomes(open)).toEqual(['sent'])
    expect(reached()).not.toContain(second)
    fixture.time.now += 7 * DAY - 2
    await fixture.deliver([open.address], mailOf('x'))
    await expect.poll(() => fixture.outcomes(open)).toEqual(['sent', 'sent'])
    expect(reached().filter((each) => each === first)).toHaveLength(2)
    // The second forwarding lasts a millisecond longer and now has the place.
    fixture.time.now += 1
    await fixture.deliver([open.address], mailOf('x'))
    await expect.poll(() => fixture.outcomes(open)).toEqual(['sent', 'sent', 'sent'])
    expect(reached().filter((each) => each === second)).toHaveLength(1)
    fixture.time.now += 1
    await replyTo(fixture.deliver([open.address], mailOf('x')))
    expect(await fixture.outcomes(open)).toEqual(['sent', 'sent', 'sent'])
  })

  test('an address of a subscription forwards to three destinations until it lapses', async () => {
    const subscription = await fixture.subscribe()
    const { open } = await fixture.kept.create(subscription, {})
    const all = [newDestination(), newDestination(), newDestination(), newDestination()]
    for (const destination of all) {
      await fixture.forward(open, destination)
      fixture.time.now += 1
    }
    fixture.time.now += 8 * DAY
    await fixture.deliver([open.address], mailOf('x'))
    await Promise.all(all.slice(0, 3).map((each) => fixture.relay.mailsTo(each)))
    await expect.poll(() => fixture.outcomes(open)).toEqual(['sent', 'sent', 'sent'])
    expect(reached()).not.toContain(all[3])

    await fixture.lapse(subscription)
    await fixture.deliver([open.address], mailOf('y'))
    expect(await fixture.outcomes(open)).toHaveLength(3)
  })

  test('a destination has hourly and daily limits, which count each message once', async () => {
    const destination = newDestination()
    const { open } = await fixture.forwarded(destination)
    // A retry is not counted again.
    fixture.relay.behave = (step, to) => (step === 'RCPT' && to === destination ? 'defer' : 'accept')
    await fixture.deliver([open.address], mailOf('x'))
    const attempts = async () => (await fixture.store.forwardingJobs.log(open.row.id, { limit: 1 }))[0]?.attempts
    await expect.poll(attempts).toBe(1)
    fixture.relay.behave = () => 'accept'
    fixture.later(60_000)
    await expect.poll(() => fixture.outcomes(open)).toEqual(['sent'])

    const outcomes = async () => (await fixture.outcomes(open)).toReversed()
    const send = async (count: number) => {
      for (let i = 0; i < count; i++) await fixture.deliver([open.address], mailOf('x'))
      await expect.poll(outcomes).not.toContain(null)
    }
    await send(PER_HOUR)
    expect((await outcomes()).filter((each) => each === 'sent')).toHaveLength(PER_HOUR)
    expect((await outcomes()).filter((each) => each === 'too-many')).toHaveLength(1)
    fixture.time.now += HOUR
    await send(PER_DAY)
    expect((await outcomes()).filter((each) => each === 'sent')).toHaveLength(PER_DAY)
    expect(reached().filter((each) => each === destination)).toHaveLength(PER_DAY)
    // Another address that forwards to the same destination shares the limit.
    const { open: other } = await fixture.forwarded(destination.replace('@', '+more@'))
    await fixture.deliver([other.address], mailOf('x'))
    await expect.poll(() => fixture.outcomes(other)).toEqual(['too-many'])
  })
})
