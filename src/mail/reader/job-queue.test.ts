import { describe, expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import { JobQueue, type JobTurn } from './job-queue.ts'
import { networkOf, turnOf } from './turns.ts'

const envelope = { mailFrom: '', helo: '', tls: false, receivedAt: 0 }

const takeAll = <Item>(queue: { take(): Item | undefined }): Item[] => {
  const items: Item[] = []
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item)
  return items
}

describe('turns', () => {
  test('go round by the outer key, and within it by the inner one', () => {
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
  ])('%s and %s are one network: %s', (one, other, same) => expect(networkOf(one) === networkOf(other)).toBe(same))

  test('the names of one mailbox are one recipient', () => {
    const inner = (recipient: string) => turnOf({ ...envelope, clientAddress: '192.0.2.1', recipient }).inner
    expect(inner('Me+shop@Mayfly.test')).toBe(inner('me@mayfly.test'))
    expect(inner('me@mayfly.test')).not.toBe(inner('you@mayfly.test'))
  })
})

describe('jobs', () => {
  const turn: JobTurn = { outer: '', inner: '', waited: false }
  const job = (kind: 'look' | 'summarize', size: number, more: Partial<JobTurn> = {}) => ({
    job: { kind, raw: new Uint8Array(size), envelope: { ...envelope, clientAddress: '', recipient: '' } },
    turn: { ...turn, ...more },
  })

  test('somebody waits for come first, then small mails', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    const [large, small, waited] = [
      job('summarize', 200_000),
      job('summarize', 1),
      job('summarize', 300_000, { waited: true }),
    ]
    for (const each of [large, small, waited]) queue.push(each)
    expect(takeAll(queue)).toEqual([waited, small, large])
  })

  test('the size of a mail is nothing to a first look', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    const [large, small] = [job('look', 200_000), job('look', 1)]
    for (const each of [large, small]) queue.push(each)
    expect(takeAll(queue)).toEqual([large, small])
  })

  test('that were interrupted begin again before all others', () => {
    const queue = new JobQueue<ReturnType<typeof job>>()
    const [first, again] = [job('look', 1, { waited: true }), job('look', 1)]
    queue.push(first)
    queue.putBack([again])
    expect(queue.length).toBe(2)
    expect(takeAll(queue)).toEqual([again, first])
  })
})
