import { expect, test } from 'vitest'
import { visitorNetworks } from '#core/networks.ts'
import { OpenCounts } from './limits.ts'

test('counts places per client and in total, and gives each back once', () => {
  const counts = new OpenCounts(2, 3)
  const enter = (ip: string) => counts.enter(visitorNetworks(ip))
  const leave = [enter('192.0.2.1'), enter('192.0.2.1'), enter('192.0.2.2')]
  expect(enter('192.0.2.1')).toBeUndefined()
  expect(enter('192.0.2.3')).toBeUndefined()
  leave[0]?.()
  leave[0]?.()
  expect(counts.total).toBe(2)
  expect(enter('192.0.2.1')).toBeDefined()
  expect(enter('192.0.2.3')).toBeUndefined()
})

test('a /56 may hold ten times as many places as a /64, and a /48 ten times as many as a /56', () => {
  const counts = new OpenCounts(2, 1000)
  const hold = (network: (n: number) => string) => {
    let held = 0
    while (counts.enter(visitorNetworks(network(Math.floor(held / 2))))) held++
    return held
  }
  expect(hold(() => '2001:db8:1::1')).toBe(2)
  expect(hold((n) => `2001:db8:2:${n.toString(16)}::1`)).toBe(20)
  expect(hold((n) => `2001:db8:3:${(n * 256).toString(16)}::1`)).toBe(200)
})
