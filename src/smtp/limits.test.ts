import { describe, expect, it } from 'vitest'
import { sharingNetwork } from '#core/networks.ts'
import { type Client, clientAddress, ConnectionLimits, DataPace } from './limits.ts'
import { defaultSmtpOptions } from './testing.ts'

const from = (address: string): Client => ({ address, network: sharingNetwork(address) })

describe('clientAddress', () => {
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['', ''],
  ])('normalizes %j to %j', (given, normalized) => {
    expect(clientAddress(given)).toBe(normalized)
  })
})

describe('ConnectionLimits', () => {
  const caps = { maxConnections: 5, maxConnectionsPerAddress: 2, maxConnectionsPerNetwork: 3 }

  it('limits the total', () => {
    const limits = new ConnectionLimits(caps)
    for (let i = 1; i <= 5; i++) expect(limits.enter()).toBeUndefined()
    expect(limits.enter()).toBe('total')
    expect(limits.total).toBe(5)
    limits.release()
    expect(limits.enter()).toBeUndefined()
  })

  it('limits an IP address', () => {
    const limits = new ConnectionLimits(caps)
    expect([1, 2, 3].map(() => limits.admit(from('192.0.2.1')))).toEqual([undefined, undefined, 'address'])
    expect(limits.admit(from('192.0.2.2'))).toBeUndefined()
    limits.release()
    expect(limits.admit(from('192.0.2.1'))).toBe('address')
    limits.release(from('192.0.2.1'))
    expect(limits.admit(from('192.0.2.1'))).toBeUndefined()
  })

  it('limits a /64 separately from its neighbors', () => {
    const limits = new ConnectionLimits(caps)
    const admitted = ['1', '2', 'ffff::3', '4'].map((host) =>
      limits.admit(from(`2001:db8:0:7:${host.includes(':') ? '' : ':'}${host}`)),
    )
    expect(admitted).toEqual([undefined, undefined, undefined, 'network'])
    expect(limits.admit(from('2001:db8:0:8::1'))).toBeUndefined()
    limits.release(from('2001:db8:0:7::1'))
    expect(limits.admit(from('2001:db8:0:7::4'))).toBeUndefined()
  })
})

describe('ConnectionLimits with many networks', () => {
  const caps = { maxConnections: 1000, maxConnectionsPerAddress: 50, maxConnectionsPerNetwork: 100 }

  it.each([
    [200, 3],
    [260, 2],
    [520, 1],
    [60, 9],
  ])('admits a large sender beside %i networks with %i connections each', (networks, each) => {
    const limits = new ConnectionLimits(caps)
    const open = (address: string): boolean => limits.enter() === undefined && limits.admit(from(address)) === undefined
    for (let host = 1; host <= each; host++) for (let n = 0; n < networks; n++) open(`10.${n >> 8}.${n & 255}.${host}`)
    expect(limits.total).toBe(networks * each)
    expect(Array.from({ length: 60 }, (_, n) => open(`192.0.2.${n % 30}`)).every(Boolean)).toBe(true)
  })
})

describe('DataPace', () => {
  const options = defaultSmtpOptions()
  const start = 1000

  it('allows silence up to the timeout', () => {
    const pace = new DataPace(options, start)
    pace.received(1_000_000, start + 5000)
    expect(pace.fault(start + 185_000)).toBeUndefined()
    expect(pace.fault(start + 185_001)).toBe('idle')
  })

  it('allows a slow sender during the grace period only', () => {
    const pace = new DataPace(options, start)
    pace.received(64 * 100 - 1, start + 60_000)
    expect(pace.fault(start + 60_000)).toBeUndefined()
    expect(pace.fault(start + 99_900)).toBeUndefined()
    expect(pace.fault(start + 100_000)).toBe('slow')
    pace.received(1, start + 100_000)
    expect(pace.fault(start + 100_000)).toBeUndefined()
  })

  it('allows no more time for bytes sent in advance than for a pause', () => {
    const pace = new DataPace(options, start)
    pace.received(1e9, start)
    pace.received(1, start + 170_000)
    pace.received(64 * 10, start + 179_000)
    expect(pace.fault(start + 190_000)).toBeUndefined()
    expect(pace.fault(start + 190_100)).toBe('slow')
  })

  it('keeps its place while others need it if it is fast and sends without pauses', () => {
    const fast = new DataPace(options, start)
    for (let second = 1; second <= 60; second++) fast.received(32 * 1024, start + second * 1000)
    expect([fast.stalls(start + 60_000), fast.stalls(start + 70_001)]).toEqual([false, true])
    const slow = new DataPace(options, start)
    const stalled = Array.from({ length: 60 }, (_, second) => {
      slow.received(16 * 1024, start + second * 1000)
      return slow.stalls(start + second * 1000)
    })
    expect(stalled.indexOf(true)).toBe(22)
    const silent = new DataPace(options, start)
    expect([silent.stalls(start + 10_000), silent.stalls(start + 10_001)]).toEqual([false, true])
  })

  it('leaves out the time in which the client had to wait', () => {
    const pace = new DataPace(options, start)
    let now = start
    // It sends as fast as it may, and waits for memory after each chunk.
    for (let i = 0; i < 300; i++) {
      pace.received(64 * 1024, now)
      pace.paused(3000)
      now += 3000
    }
    expect([pace.stalls(now), pace.fault(now)]).toEqual([false, undefined])
    expect([pace.stalls(now + 10_001), pace.fault(now + 180_001)]).toEqual([true, 'idle'])
  })

  it('limits the total time', () => {
    const pace = new DataPace(options, start)
    pace.received(1e9, start + 600_000)
    expect(pace.fault(start + 600_000)).toBeUndefined()
    expect(pace.fault(start + 600_001)).toBe('long')
  })
})
