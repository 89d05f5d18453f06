import { describe, expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import { JobQueue, type JobPriority } from './job-queue.ts'
import { networkOf, fairKeysOf } from './turns.ts'

const envelope = { mailFrom: '', helo: '', tls: false, receivedAt: 0 }

const takeAll = <Item>(queue: { take(): Item | undefined }): Item[] => {
  const items: Item[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item)
  return items
}

describe('FairQueue', () => {
  test('takes items by round robin among outer keys, and among inner keys within them', () => {
    const queue = new FairQueue<string>()
    for (let i = 0; i < 3; i++) queue.push(`flood${i}`, { outer: 'attacker', inner: 'one' })
    queue.push('other', { outer: 'attacker', inner: 'two' })
    queue.push('victim', { outer: 'friend', inner: 'me' })
    expect(queue.length).toBe(5)
    expect(takeAll(queue)).toEqual(['flood0', 'victim', 'other', 'flood1', 'flood2'])
    expect(queue.length).toBe(0)
  })

  test.each([
    ['192.0.2.1', '192.0.2.200', true],
    ['192.0.2.1', '192.0.3.1', false],
    ['::ffff:192.0.2.1', '192.0.2.9', true],
    ['2001:db8:1:2::1', '2001:db8:1:ffff::9', true],
    ['2001:db8:1::1', '2001:db8:2::1', false],
  ])('%s and %s belong to one network: %s', (one, other, same) =>
    expect(networkOf(one) === networkOf(other)).toBe(same),
  )

  test('all addresses of one mailbox have the same inner key', () => {
    const inner = (recipient: string) => fairKeysOf({ ...envelope, clientAddress: '192.0.2.1', recipient }).inner
    expect(inner('Me+shop@Mayfly.test')).toBe(inner('me@mayfly.test'))
    expect(inner('me@mayfly.test')).not.toBe(inner('you@mayfly.test'))
  })
})

describe('JobQueue', () => {
  const priority: JobPriority = { outer: '', inner: '', waited: false }
  const job = (kind: 'look' | 'summarize', size: number, more: Partial<JobPriority> = {}) => ({
    job: { kind, raw: new Uint8Array(size), envelope: { ...envelope, clientAddress: '', recipient: '' } },
    priority: { ...priority, ...more },
  })

  test('takes jobs for waiting users first, then small messages', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    const [large, small, waited] = [
      job('summarize', 200_000),
      job('summarize', 1),
      job('summarize', 300_000, { waited: true }),
    ]
    for (const each of [large, small]) queue.push(each)
    expect(queue.isWaitedFor).toBe(false)
    queue.push(waited)
    expect(queue.isWaitedFor).toBe(true)
    expect(takeAll(queue)).toEqual([waited, small, large])
    queue.putBack([small, waited])
    expect(queue.isWaitedFor).toBe(false)
    queue.take()
    expect(queue.isWaitedFor).toBe(true)
  })

  test('lets no job wait forever, however many more urgent ones follow', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    const [small, large] = [job('summarize', 1), job('summarize', 200_000)]
    const waited = job('summarize', 200_000, { waited: true })
    for (const each of [small, large, waited]) queue.push(each)
    const taken = Array.from({ length: 200 }, () => {
      queue.push(job('summarize', 1, { waited: true }))
      return queue.take()
    })
    for (const each of [small, large, waited]) expect(taken).toContain(each)
  })

  test('tells whether a user waits for the next job, also when another one has its turn', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    for (let i = 0; i < 30; i++) {
      queue.push(job('summarize', 1))
      for (const size of [1, 200_000]) queue.push(job('summarize', size, { waited: true }))
    }
    const told: boolean[] = []
    const taken: (boolean | undefined)[] = []
    while (queue.length > 0) {
      told.push(queue.isWaitedFor)
      taken.push(queue.take()?.priority.waited)
    }
    expect(told).toEqual(taken)
    expect(taken.indexOf(false)).toBeLessThan(taken.lastIndexOf(true))
    expect([queue.isWaitedFor, queue.take()]).toEqual([false, undefined])
  })

  test('does not count a turn in which there is no job', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    for (let i = 0; i < 6; i++) queue.take()
    const [waited, other] = [job('summarize', 1, { waited: true }), job('summarize', 1)]
    for (const each of [other, waited]) queue.push(each)
    expect(takeAll(queue)).toEqual([waited, other])
  })

  test('ignores the size of a message for a first look', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    const [large, small] = [job('look', 200_000), job('look', 1)]
    for (const each of [large, small]) queue.push(each)
    expect(takeAll(queue)).toEqual([large, small])
  })

  test('takes interrupted jobs before all others', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    const [waited, interrupted] = [job('look', 1, { waited: true }), job('look', 1)]
    queue.push(waited)
    queue.putBack([interrupted])
    expect(queue.length).toBe(2)
    expect(takeAll(queue)).toEqual([interrupted, waited])
  })
})
