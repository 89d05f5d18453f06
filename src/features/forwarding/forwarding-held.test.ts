import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { AddressId } from '#core/ids.ts'
import type { Store } from '#core/store.ts'
import { HOUR, MINUTE } from '#core/time.ts'
import type { OpenAddress } from '#features/mailbox/claims.ts'
import { mailOf, openSenderFixture, type SenderFixture } from '#test/support/fixtures/forwarding-sender.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('a message whose jobs are held, on %s', (engine) => {
  let fixture: SenderFixture
  let destinations = 0
  /** The address whose copy can't be stored, once the other one is. */
  let failing: AddressId | undefined
  let otherIsStored = Promise.withResolvers<void>()
  /** The process dies before it releases a message. */
  let dies = false
  /** The addresses whose inboxes can't be written when messages are released. */
  const locked = new Set<AddressId>()
  let releases = 0
  let mayRelease: Promise<void> | undefined
  /** Whether the connection breaks while the next message is committed: it is stored, but nobody knows, and is retracted. */
  let isInDoubt = false
  /** The jobs that another node would take before the copy fails. */
  const takenBefore: unknown[] = []
  const wrap = (store: Store): Store => ({
    ...store,
    messages: {
      ...store.messages,
      async append(messages) {
        if (isInDoubt) {
          isInDoubt = false
          await store.messages.append(messages)
          const { now } = fixture.time
          takenBefore.push(...(await store.forwardingJobs.take(now, now, { limit: 9, except: [] })))
          for (const { addressId, id } of messages) await store.messages.remove(addressId, id)
          throw new MayflyError('store_unavailable')
        }
        if (messages[0]?.addressId !== failing) {
          const outcomes = await store.messages.append(messages)
          otherIsStored.resolve()
          return outcomes
        }
        await otherIsStored.promise
        const { now } = fixture.time
        takenBefore.push(...(await store.forwardingJobs.take(now, now, { limit: 9, except: [] })))
        throw new MayflyError('store_unavailable')
      },
    },
    forwardingJobs: {
      ...store.forwardingJobs,
      async release(...args) {
        releases++
        if (dies) return
        await mayRelease
        if (args[0].some(({ addressId }) => locked.has(addressId))) throw new MayflyError('store_unavailable')
        await store.forwardingJobs.release(...args)
      },
    },
  })
  beforeAll(async () => {
    const appendGroup = { maxMessages: 1, maxBytes: 1 }
    fixture = await openSenderFixture({ engine, wrap, overrides: { limits: { appendGroup } } })
  })
  afterAll(() => fixture.close())

  async function twoAddresses() {
    const names = [`held-${++destinations}@real.example`, `held-${++destinations}@real.example`]
    const forwarded = await Promise.all(names.map((each) => fixture.forwarded(each)))
    const opened = forwarded.map(({ open }) => open)
    return {
      opened,
      names,
      deliver: () =>
        fixture.deliver(
          opened.map(({ address }) => address),
          mailOf('x'),
        ),
    }
  }
  const reached = (names: readonly string[]) =>
    fixture.relay.received.map(({ to }) => to).filter((to) => names.includes(to))
  /** Delivers a message and does not release its jobs, as if the process died. */
  async function diesAfter(deliver: () => Promise<unknown>): Promise<void> {
    const before = releases
    dies = true
    await deliver()
    await expect.poll(() => releases).toBe(before + 1)
    dies = false
  }
  const dueTimes = async ({ row }: OpenAddress) =>
    (await fixture.store.forwardingJobs.log(row.id, { limit: 9 })).map(({ dueAt }) => dueAt)
  const outcomes = (opened: Awaited<ReturnType<typeof twoAddresses>>['opened']) =>
    Promise.all(opened.map((open) => fixture.outcomes(open)))

  test('to several mailboxes is forwarded once if a copy cannot be stored and the sender tries again', async () => {
    const { opened, names, deliver } = await twoAddresses()
    failing = opened[1]!.row.id
    await expect(deliver()).rejects.toMatchObject({ code: 'store_unavailable' })
    failing = undefined
    otherIsStored = Promise.withResolvers()
    expect(takenBefore).toEqual([])
    await expect.poll(() => outcomes(opened)).toEqual([[], []])
    await deliver()
    await expect.poll(() => outcomes(opened)).toEqual([['sent'], ['sent']])
    expect(reached(names).toSorted()).toEqual(names)
  })

  test('to several mailboxes is forwarded within an hour if the process dies right after it is stored', async () => {
    const { opened, names, deliver } = await twoAddresses()
    await diesAfter(deliver)
    const due = [fixture.time.now + HOUR]
    expect(await Promise.all(opened.map(dueTimes))).toEqual([due, due])
    fixture.later(HOUR)
    await fixture.startNode()
    await expect.poll(() => outcomes(opened)).toEqual([['sent'], ['sent']])
    expect(reached(names).toSorted()).toEqual(names)
  })

  test('is released again after a failure, and not when its hold ends', async () => {
    const { opened, names, deliver } = await twoAddresses()
    for (const { row } of opened) locked.add(row.id)
    const before = releases
    await deliver()
    await expect.poll(() => releases).toBeGreaterThan(before + 1)
    expect(await outcomes(opened)).toEqual([[null], [null]])
    locked.clear()
    await expect.poll(() => outcomes(opened)).toEqual([['sent'], ['sent']])
    expect(reached(names).toSorted()).toEqual(names)
  })

  test('does not wait for another one whose inbox is locked', async () => {
    const { opened, names, deliver } = await twoAddresses()
    locked.add(opened[0]!.row.id)
    await deliver()
    await expect.poll(() => reached(names)).toEqual([names[1]])
    expect(await outcomes(opened)).toEqual([[null], ['sent']])
    locked.clear()
    await expect.poll(() => outcomes(opened)).toEqual([['sent'], ['sent']])
  })

  describe.runIf(engine === 'PostgreSQL')('if its commit may be in doubt', () => {
    async function oneAddress() {
      const { open } = await fixture.forwarded(`held-${++destinations}@real.example`)
      return { open, deliver: () => fixture.deliver([open.address], mailOf('x')) }
    }

    test('it is forwarded once, although another node looks for jobs before it is removed', async () => {
      const { open, deliver } = await oneAddress()
      isInDoubt = true
      await expect(deliver()).rejects.toMatchObject({ code: 'store_unavailable' })
      expect(takenBefore).toEqual([])
      await deliver()
      await expect.poll(() => fixture.outcomes(open)).toEqual(['sent'])
    })

    test('it costs a transaction more only if it is forwarded', async () => {
      const [{ open }, { deliver }] = [await fixture.addresses.create({}), await oneAddress()]
      const before = releases
      await fixture.deliver([open.address], mailOf('x'))
      expect(releases - before).toBe(0)
      await deliver()
      await expect.poll(() => releases - before).toBe(1)
    })

    test('the messages that are stored during a release are released in one transaction', async () => {
      const deliveries = await Promise.all(Array.from({ length: 10 }, oneAddress))
      const before = releases
      const gate = Promise.withResolvers<void>()
      mayRelease = gate.promise
      await Promise.all(deliveries.map(({ deliver }) => deliver()))
      gate.resolve()
      const outcomesOf = () => Promise.all(deliveries.map(({ open }) => fixture.outcomes(open)))
      await expect.poll(outcomesOf).toEqual(deliveries.map(() => ['sent']))
      expect(releases - before).toBeLessThanOrEqual(2)
    })

    test('it is forwarded within five minutes if the process dies right after it is stored', async () => {
      const { open, deliver } = await oneAddress()
      await diesAfter(deliver)
      expect(await dueTimes(open)).toEqual([fixture.time.now + 5 * MINUTE])
      fixture.later(5 * MINUTE)
      await expect.poll(() => fixture.outcomes(open)).toEqual(['sent'])
    })
  })
})
