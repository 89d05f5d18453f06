import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sharingNetwork } from '#core/networks.ts'
import { FIRST_BYTES, type SmtpMemory, SmtpMemoryBudget } from './memory.ts'
import { connectFrom, PROXY, type RawClient, startServer, until } from './testing.ts'

const MB = 1024 * 1024
const LIMIT = 16 * MB
const END = '\r\n.\r\n'

const shareOf = (budget: SmtpMemoryBudget, address: string): SmtpMemory => budget.of(sharingNetwork(address))

/** Takes megabytes for one message of each client until no more are given. Returns how many each client holds. */
function takeAll(budget: SmtpMemoryBudget, addresses: readonly string[]): number[] {
  return addresses.map((address) => {
    const share = shareOf(budget, address)
    let taken = 0
    while (share.take(MB, 0)) taken++
    return taken
  })
}

describe('SmtpMemoryBudget', () => {
  it('refuses more bytes than are free', () => {
    const share = shareOf(new SmtpMemoryBudget(10), '127.0.0.1')
    expect([share.take(6, 0), share.take(5, 0), share.take(4, 0), share.take(1, 0)]).toEqual([true, false, true, false])
    share.give(6)
    expect(share.take(6, 0)).toBe(true)
  })

  it.each([
    ['an IPv4 address', ['203.0.113.1', '198.51.100.1', '192.0.2.1']],
    ['an IPv4 /24, together', ['203.0.113.1', '203.0.113.2', '198.51.100.1']],
    ['an IPv6 /48, together', ['2001:db8:1::1', '2001:db8:1:ffff::1', '2001:db8:2::1']],
  ])('gives no more to %s than it leaves free', (_, [first, second, third]) => {
    const together = takeAll(new SmtpMemoryBudget(LIMIT), [first!, second!])
    expect(together).toEqual(second === '198.51.100.1' ? [8, 2] : [8, 0])
    expect(takeAll(new SmtpMemoryBudget(LIMIT), [first!, first!, third!])).toEqual([8, 0, 2])
  })

  it.each(['127.0.0.1', '::1'])('gives all to %s', (address) => {
    expect(shareOf(new SmtpMemoryBudget(LIMIT), address).take(LIMIT, 0)).toBe(true)
  })

  it('gives again what was given back', () => {
    const share = shareOf(new SmtpMemoryBudget(LIMIT), '203.0.113.1')
    for (let i = 0; i < 3; i++) {
      expect([share.take(6 * MB, 0), share.take(3 * MB, 0), share.hasRoomFor(2 * MB, 0)]).toEqual([true, false, true])
      share.give(6 * MB)
    }
  })

  it('gives more than its share to the only message of a network, but never the last part', () => {
    const budget = new SmtpMemoryBudget(LIMIT)
    const [large, other] = [shareOf(budget, '203.0.113.1'), shareOf(budget, '198.51.100.1')]
    expect(large.take(MB, 0)).toBe(true)
    expect(large.hasRoomFor(15 * MB, MB)).toBe(false)
    expect(large.take(14.5 * MB, MB)).toBe(true)
    expect(large.take(1, 0)).toBe(false)
    expect(other.take(FIRST_BYTES, 0)).toBe(true)
    expect(other.take(MB, FIRST_BYTES)).toBe(false)
  })

  it('gives a large sender more although many others hold more than half', () => {
    const budget = new SmtpMemoryBudget(64 * MB)
    for (let n = 0; n < 70; n++) expect(shareOf(budget, `10.0.${n}.1`).take(MB / 2, 0)).toBe(true)
    const share = shareOf(budget, '203.0.113.1')
    expect(share.take(2 * MB, 0)).toBe(true)
    for (let message = 0; message < 20; message++) expect(share.take(MB / 2, 0)).toBe(true)
  })

  it('gives the first bytes to each message of a network that has used up its share', () => {
    const share = shareOf(new SmtpMemoryBudget(LIMIT), '203.0.113.1')
    expect(share.take(8 * MB, 0)).toBe(true)
    expect([share.take(FIRST_BYTES, 0), share.take(1, FIRST_BYTES)]).toEqual([true, false])
  })
})

describe('messages that wait for memory', () => {
  const patience = { atLeast: 60_000, isOver: () => false }

  it('get it in the order in which they began to wait, each before the next one looks for it', async () => {
    const budget = new SmtpMemoryBudget(10 * MB)
    const first = budget.of(undefined)
    first.take(10 * MB, 0)
    const got: number[] = []
    const waits = [6, 5, 4].map(async (size) => {
      const share = budget.of(undefined)
      if (!(await share.waitFor(size * MB, 0, patience))) return
      expect(share.take(size * MB, 0)).toBe(true)
      got.push(size)
      await setTimeout(50)
      share.give(size * MB)
    })
    first.give(10 * MB)
    await Promise.all(waits)
    expect(got).toEqual([6, 4, 5])
  })

  it('cost little while a thousand wait and ten thousand networks hold some', async () => {
    const budget = new SmtpMemoryBudget(64 * MB)
    for (let n = 0; n < 10_000; n++) budget.of(`network ${n}`).take(4096 + (n % 7), 0)
    let isOver = false
    const waits = Array.from({ length: 1000 }, (_, n) =>
      budget.of(`network ${n}`).waitFor(25 * MB, 4096, { ...patience, isOver: () => isOver }),
    )
    const before = process.cpuUsage()
    await setTimeout(1000)
    const { user } = process.cpuUsage(before)
    isOver = true
    expect(await Promise.all(waits)).not.toContain(true)
    expect(user).toBeLessThan(500_000)
  })
})

/** Connects and reads the greeting. */
async function greeted(port: number, from: string): Promise<RawClient> {
  const client = await connectFrom(port, from)
  await client.reply()
  return client
}

const start = (maxBufferedBytes: number, memoryWait: number, overrides = {}) =>
  startServer({ maxBufferedBytes, memoryWait, proxies: [PROXY] }, overrides)

describe('messages that are never finished', () => {
  it.each([
    ['few large ones', 3, 600_000],
    ['many small ones', 49, 30_000],
  ])('do not keep other networks from delivering: %s', async (_, count, bytes) => {
    await using smtp = await start(1_500_000, 1)
    const hold = async (): Promise<RawClient> => {
      const client = await greeted(smtp.port, '203.0.113.9')
      await client.startData().catch(() => {})
      client.send(Buffer.alloc(bytes, `${'x'.repeat(70)}\r\n`))
      return client
    }
    const holders: RawClient[] = []
    for (let i = 0; i < count; i++) holders.push(await hold())
    await until(() => (smtp.gauges['smtp_buffered_bytes'] ?? 0) >= 600_000)
    for (const size of [8000, 200_000]) {
      const victim = await greeted(smtp.port, '198.51.100.7')
      await victim.startData()
      victim.send(`${'hello\r\n'.repeat(size / 7)}${END}`)
      expect(await victim.reply()).toMatch(/^250/)
      victim.close()
    }
    for (const holder of holders) holder.close()
  })
})

describe('a sender with many connections', () => {
  it('delivers all its large messages if it tries again', async () => {
    await using smtp = await start(2_000_000, 20)
    const deliver = async (): Promise<void> => {
      const client = await greeted(smtp.port, '203.0.113.9')
      for (let reply = ''; !reply.startsWith('250');) {
        reply = await client.startData().then(
          () => {
            client.send(`\r\n${`${'x'.repeat(70)}\r\n`.repeat(5_000)}.\r\n`)
            return client.reply()
          },
          (error: Error) => error.message.replace('DATA: ', ''),
        )
        expect(reply).toMatch(/^(?:250|452)/)
      }
      client.close()
    }
    await Promise.all(Array.from({ length: 10 }, deliver))
    expect(smtp.deliveries).toHaveLength(10)
  })
})
