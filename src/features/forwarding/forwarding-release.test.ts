import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import type { HeldMessage } from '#core/forwarding/forwarding.ts'
import type { AddressId, MessageId } from '#core/ids.ts'
import { MINUTE } from '#core/time.ts'
import { createForwardingQueue } from './forwarding-queue.ts'

type Release = (messages: readonly HeldMessage[], now: number) => Promise<void>

function open(release: Release) {
  const stopping = new AbortController()
  const warn = vi.fn()
  const queue = createForwardingQueue({
    store: { list: async () => [] },
    jobs: { release },
    sealer: { seal: async () => [] },
    publicKey: new Uint8Array(),
    newJobId: () => '',
    clock: () => Date.now(),
    destinationLimits: { perAddress: 1 } as never,
    mayBeInDoubt: true,
    onQueued: vi.fn(),
    logger: { debug: vi.fn(), info: vi.fn(), warn, error: vi.fn() },
    random: () => 0,
    stopping: stopping.signal,
  })
  return { queue, stopping, warn }
}

const held = (inbox: string) => ({
  addressId: inbox as AddressId,
  id: `of ${inbox}` as MessageId,
  forwarding: { sealedMail: new Uint8Array(9), jobs: [], heldUntil: Date.now() + MINUTE },
})

test('after a failure, the messages themselves don’t stay in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const { queue, stopping, warn } = open(vi.fn<Release>().mockRejectedValue(new Error('Locked')))
  const release = () => {
    const message = held('a')
    return { mail: new WeakRef(message.forwarding.sealedMail), done: queue.release([message]) }
  }
  const { mail, done } = release()
  await expect.poll(() => warn).toHaveBeenCalledOnce()
  await vi.waitFor(() => {
    collectGarbage()
    expect(mail.deref()).toBeUndefined()
  })
  stopping.abort()
  await done
})

test('a stop tries once more, and does not wait for the next pause', async () => {
  let locked = true
  const release = vi.fn<Release>(async () => {
    if (locked) throw new Error('Locked')
  })
  const { queue, stopping, warn } = open(release)
  void queue.release([held('a'), held('b')])
  await expect.poll(() => warn).toHaveBeenCalledOnce()
  locked = false
  stopping.abort()
  await queue.settled()
  expect(release.mock.calls.slice(1).map(([messages]) => messages.map(({ addressId }) => addressId))).toEqual([
    ['a'],
    ['b'],
  ])
})

test('a stop tries only once more', async () => {
  const release = vi.fn<Release>().mockRejectedValue(new Error('Locked'))
  const { queue, stopping, warn } = open(release)
  void queue.release([held('a')])
  await expect.poll(() => warn).toHaveBeenCalledOnce()
  stopping.abort()
  await queue.settled()
  expect(release).toHaveBeenCalledTimes(2)
})

test('two inboxes are released at once after a failure', async () => {
  let running = 0
  let most = 0
  const gate = Promise.withResolvers<void>()
  const release = vi.fn<Release>(async (messages) => {
    if (messages.length > 1) throw new Error('Locked')
    most = Math.max(most, ++running)
    await gate.promise
    running--
  })
  const { queue, stopping, warn } = open(release)
  void queue.release(['a', 'b', 'c', 'd'].map(held))
  await expect.poll(() => warn).toHaveBeenCalledOnce()
  stopping.abort()
  await expect.poll(() => running).toBe(2)
  gate.resolve()
  await queue.settled()
  expect(release).toHaveBeenCalledTimes(5)
  expect(most).toBe(2)
})
