import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import { createResolve, type Resolve } from './pinned-address.ts'

let dns: DnsServer
let resolve: Resolve
beforeAll(async () => {
  dns = await startDnsServer({
    'both.example A': ['192.0.2.1'],
    'both.example AAAA': ['2001:db8::1'],
    'half.example A': ['192.0.2.2'],
    'half.example AAAA': 'servfail',
    'silent.example A': 'silence',
    'silent.example AAAA': 'silence',
  })
  resolve = createResolve([dns.address])
})
afterAll(() => dns.close())

test('returns all addresses of a host', async () => {
  expect((await resolve('both.example')).toSorted()).toEqual(['192.0.2.1', '2001:db8::1'])
  expect(await resolve('half.example')).toEqual(['192.0.2.2'])
  expect(await resolve('missing.example')).toEqual([])
})

test('knows the names of this machine without DNS', async () => {
  expect((await resolve('localhost')).every((address) => ['127.0.0.1', '::1'].includes(address))).toBe(true)
  expect(dns.asked).not.toContain('localhost A')
})

test('is not delayed by names whose servers are silent', async () => {
  const silent = Array.from({ length: 50 }, () => resolve('silent.example'))
  let isOver = false
  void Promise.all(silent).then(() => (isOver = true))
  expect(await resolve('both.example')).toHaveLength(2)
  expect(isOver).toBe(false)
  expect((await Promise.all(silent)).flat()).toEqual([])
})
