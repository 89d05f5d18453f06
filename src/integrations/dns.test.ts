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

test('TXT: each record whole, though it came in strings', async () => {
  expect((await dns().txt('own.example')).toSorted()).toEqual(['v=spf1 -all', 'x'.repeat(300)])
})

test('MX: the most preferred first, lower case; a null MX is nobody', async () => {
  expect(await dns().mx('own.example')).toEqual(['first.example', 'second.example'])
  expect(await dns().mx('none.example')).toEqual([''])
})

test('no such name, and a name without such records: nothing', async () => {
  expect(await dns().txt('nowhere.example')).toEqual([])
  expect(await dns().txt('none.example')).toEqual([])
})

test('IP addresses of both kinds; a server that fails for one kind has said nothing', async () => {
  const addresses = await dns().addresses('both.example')
  expect(addresses.toSorted()).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::a'])
  expect(await dns().addresses('own.example')).toEqual([])
  await expect(dns().addresses('half.example')).rejects.toThrow('ESERVFAIL')
})

test('names of IP addresses of both kinds, also where the system knows another', async () => {
  expect(await dns().names('192.0.2.1')).toEqual(['mx.both.example'])
  expect(await dns().names('2001:db8::a')).toEqual(['six.both.example'])
  expect(await dns().names('127.0.0.1')).toEqual([])
})

test('where a name leads', async () => {
  expect(await dns().cname('other.example')).toEqual(['both.example'])
  expect(await dns().cname('both.example')).toEqual([])
})

test('what a blocklist says of an IP address', async () => {
  expect(await dns().listed('192.0.2.1', 'list.example')).toEqual(['127.0.0.2'])
  expect(await dns().listed('2001:db8::a', 'list.example')).toEqual(['127.0.0.3'])
  expect(await dns().listed('192.0.2.2', 'list.example')).toEqual([])
})

test('records as they are, and why there are none', async () => {
  expect(await dns().resolve('own.example', 'MX')).toHaveLength(2)
  await expect(dns().resolve('nowhere.example', 'TXT')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('an answer is never an old one', async () => {
  const { txt } = dns()
  server.zone['changing.example TXT'] = ['old']
  expect(await txt('changing.example')).toEqual(['old'])
  server.zone['changing.example TXT'] = ['new']
  expect(await txt('changing.example')).toEqual(['new'])
  delete server.zone['changing.example TXT']
  expect(await txt('changing.example')).toEqual([])
})

test('a server that fails rejects, and so does one that is not there', async () => {
  await expect(dns().txt('down.example')).rejects.toThrow('ESERVFAIL')
  await expect(dns(2000, ['127.0.0.1:9']).txt('own.example')).rejects.toThrow()
})

const timesAsked = (name: string): number => server.asked.filter((each) => each === name).length

test('a server that is silent rejects in time, after it was asked again', async () => {
  const started = performance.now()
  await expect(dns(600).mx('silent.example')).rejects.toThrow()
  expect(performance.now() - started).toBeLessThan(3000)
  expect(timesAsked('silent.example MX')).toBeGreaterThan(1)
})

test('a slow answer is one, also of a server that was fast before', async () => {
  const slow = Promise.withResolvers<string[]>()
  server.zone['slow.example TXT'] = slow.promise
  const { txt } = dns(20_000)
  for (let i = 0; i < 20; i++) await txt('own.example')
  const answer = txt('slow.example')
  await expect.poll(() => timesAsked('slow.example TXT')).toBe(3)
  slow.resolve(['here'])
  expect(await answer).toEqual(['here'])
})

test('what waits rejects at the close', async () => {
  const { mx, close } = dns(60_000)
  server.asked.length = 0
  const answer = mx('silent.example')
  await expect.poll(() => timesAsked('silent.example MX')).toBeGreaterThan(0)
  close()
  await expect(answer).rejects.toThrow('ECANCELLED')
})
