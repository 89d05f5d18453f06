import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import { createDns } from './dns.ts'

let server: DnsServer
beforeAll(async () => {
  server = await startDnsServer({
    'own.example TXT': ['v=spf1 -all', 'x'.repeat(300)],
    'own.example MX': ['20 second.example', '10 First.Example'],
    'none.example MX': ['0 .'],
    'down.example TXT': 'servfail',
    'silent.example MX': 'silence',
    'both.example A': ['192.0.2.1', '192.0.2.2'],
    'both.example AAAA': ['2001:db8::a'],
    'half.example A': ['192.0.2.1'],
    'half.example AAAA': 'servfail',
    'other.example CNAME': ['Both.Example'],
    '1.2.0.192.in-addr.arpa PTR': ['MX.both.example'],
    [`a.0.0.0.${'0.0.0.0.'.repeat(5)}8.b.d.0.1.0.0.2.ip6.arpa PTR`]: ['six.both.example'],
    '1.2.0.192.list.example A': ['127.0.0.2'],
    [`a.0.0.0.${'0.0.0.0.'.repeat(5)}8.b.d.0.1.0.0.2.list.example A`]: ['127.0.0.3'],
  })
})
afterAll(() => server.close())

const dns = (timeout = 2000, servers = [server.address]) => createDns({ servers, timeout })

test('joins the strings of a TXT record', async () => {
  expect((await dns().txt('own.example')).toSorted()).toEqual(['v=spf1 -all', 'x'.repeat(300)])
})

test('returns MX hosts by preference in lower case, and an empty name for a null MX', async () => {
  expect(await dns().mx('own.example')).toEqual(['first.example', 'second.example'])
  expect(await dns().mx('none.example')).toEqual([''])
})

test('returns an empty list for an unknown name and for missing records', async () => {
  expect(await dns().txt('nowhere.example')).toEqual([])
  expect(await dns().txt('none.example')).toEqual([])
})

test('returns IPv4 and IPv6 addresses, and rejects if one look-up fails', async () => {
  const addresses = await dns().addresses('both.example')
  expect(addresses.toSorted()).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::a'])
  expect(await dns().addresses('own.example')).toEqual([])
  await expect(dns().addresses('half.example')).rejects.toThrow('ESERVFAIL')
})

test('returns the names of IPv4 and IPv6 addresses from the DNS only', async () => {
  expect(await dns().names('192.0.2.1')).toEqual(['mx.both.example'])
  expect(await dns().names('2001:db8::a')).toEqual(['six.both.example'])
  expect(await dns().names('127.0.0.1')).toEqual([])
})

test('returns the target of a CNAME', async () => {
  expect(await dns().cname('other.example')).toEqual(['both.example'])
  expect(await dns().cname('both.example')).toEqual([])
})

test('returns the response of a blocklist to an IP address', async () => {
  expect(await dns().listed('192.0.2.1', 'list.example')).toEqual(['127.0.0.2'])
  expect(await dns().listed('2001:db8::a', 'list.example')).toEqual(['127.0.0.3'])
  expect(await dns().listed('192.0.2.2', 'list.example')).toEqual([])
})

test('resolves raw records, and rejects with the reason', async () => {
  expect(await dns().resolve('own.example', 'MX')).toHaveLength(2)
  await expect(dns().resolve('nowhere.example', 'TXT')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('does not cache responses', async () => {
  const { txt } = dns()
  server.zone['changing.example TXT'] = ['old']
  expect(await txt('changing.example')).toEqual(['old'])
  server.zone['changing.example TXT'] = ['new']
  expect(await txt('changing.example')).toEqual(['new'])
  delete server.zone['changing.example TXT']
  expect(await txt('changing.example')).toEqual([])
})

test('rejects if the server fails or is unreachable', async () => {
  await expect(dns().txt('down.example')).rejects.toThrow('ESERVFAIL')
  await expect(dns(2000, ['127.0.0.1:9']).txt('own.example')).rejects.toThrow()
})

const lookups = (name: string): number => server.asked.filter((each) => each === name).length

test('rejects within the timeout after several tries if the server is silent', async () => {
  const started = performance.now()
  await expect(dns(600).mx('silent.example')).rejects.toThrow()
  expect(performance.now() - started).toBeLessThan(3000)
  expect(lookups('silent.example MX')).toBeGreaterThan(1)
})

test('accepts a slow response of a server that was fast before', async () => {
  const slow = Promise.withResolvers<string[]>()
  server.zone['slow.example TXT'] = slow.promise
  const { txt } = dns(20_000)
  for (let i = 0; i < 20; i++) await txt('own.example')
  const answer = txt('slow.example')
  await expect.poll(() => lookups('slow.example TXT')).toBe(3)
  slow.resolve(['here'])
  expect(await answer).toEqual(['here'])
})

test('rejects pending look-ups on close', async () => {
  const { mx, close } = dns(60_000)
  server.asked.length = 0
  const answer = mx('silent.example')
  await expect.poll(() => lookups('silent.example MX')).toBeGreaterThan(0)
  close()
  await expect(answer).rejects.toThrow('ECANCELLED')
})
