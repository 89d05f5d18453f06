import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { AddressId } from '#core/ids.ts'
import type { Store } from '#core/store.ts'
import { HOUR, MINUTE } from '#core/time.ts'
import { mailOf, openSenderFixture, type SenderFixture } from '#test/support/fixtures/forwarding-sender.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('a message whose jobs are held, on %s', (engine) => {
  let fixture: SenderFixture
  let destinations = 0
  /** The address whose copy can't be stored, once the other one is. */
  let failing: AddressId | undefined
  let otherIsStored = Promise.withResolvers<void>()
  let releaseFails = false
  let releases = 0
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
        if (releaseFails) throw new MayflyError('store_unavailable')
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
    releaseFails = true
    await deliver()
    releaseFails = false
    fixture.later(HOUR - 1)
    await fixture.startNode()
    expect(await outcomes(opened)).toEqual([[null], [null]])
    expect(reached(names)).toEqual([])
    fixture.later(1)
    await expect.poll(() => outcomes(opened)).toEqual([['sent'], ['sent']])
    expect(reached(names).toSorted()).toEqual(names)
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
      expect(releases - before).toBe(1)
    })

    test('it is forwarded within five minutes if the process dies right after it is stored', async () => {
      const { open, deliver } = await oneAddress()
      releaseFails = true
      await deliver()
      releaseFails = false
      fixture.later(5 * MINUTE - 1)
      expect(await fixture.outcomes(open)).toEqual([null])
      fixture.later(1)
      await expect.poll(() => fixture.outcomes(open)).toEqual(['sent'])
    })
  })
})
