import Fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import type { Logger } from '#core/telemetry.ts'
import { warnOfUnnamedClients } from './unnamed-clients.ts'

const HOST = 'mayfly.example'
const warn = vi.fn<Logger['warn']>()
afterEach(() => void warn.mockReset())

interface Visit {
  /** The IP address that connects. */
  peer?: string
  headers?: Record<string, string>
  path?: string
}

async function visit({ peer = '127.0.0.1', headers = {}, path = '/' }: Visit, publicUrl = `https://${HOST}`) {
  const trustProxy = ['127.0.0.1', '::1', '172.16.0.0/12']
  const app = Fastify({ trustProxy })
  warnOfUnnamedClients(app, { publicUrl }, { warn })
  for (const url of ['/', '/livez', '/.well-known/mta-sts.txt']) app.get(url, async () => 'fine')
  await app.ready()
  for (let i = 0; i < 2; i++) await app.inject({ url: path, remoteAddress: peer, headers: { host: HOST, ...headers } })
  await app.close()
}

test.each<[string, Visit, string]>([
  ['a local proxy that names nobody', {}, '127.0.0.1'],
  ['a local proxy on IPv6', { peer: '::1' }, '::1'],
  ['one that sets only X-Real-IP', { headers: { 'x-real-ip': '192.0.2.1' } }, '127.0.0.1'],
  ['one in a network of Docker', { peer: '172.18.0.1' }, '172.18.0.1'],
  ['one that is not trusted', { peer: '192.168.1.2', headers: { 'x-forwarded-for': '203.0.113.9' } }, '192.168.1.2'],
  ['one on IPv6 that is not trusted', { peer: 'fd00::2', headers: { 'x-forwarded-for': '203.0.113.9' } }, 'fd00::2'],
  ['one of two that is not trusted', { headers: { 'x-forwarded-for': '203.0.113.9, 10.0.0.2' } }, '127.0.0.1'],
  ['one with a port in the Host header', { headers: { host: `${HOST.toUpperCase()}:443` } }, '127.0.0.1'],
  ['one that passes the host on in another header', { headers: { host: 'x', 'x-forwarded-host': HOST } }, '127.0.0.1'],
  ['an address mapped into IPv6', { peer: '::ffff:10.0.0.2' }, '::ffff:10.0.0.2'],
])('warns once of %s', async (_what, how, proxy) => {
  await visit(how)
  expect(warn.mock.calls).toEqual([[{ proxy }, expect.stringMatching(/X-Forwarded-For.*MAYFLY_TRUSTED_PROXIES/)]])
})

test.each<[string, Visit, string?]>([
  ['a visitor behind a proxy', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
  ['a visitor behind two proxies', { headers: { 'x-forwarded-for': '2001:db8::9, 172.18.0.3' } }],
  ['a visitor in the network of the proxy', { headers: { 'x-forwarded-for': '10.0.0.5' } }],
  ['a visitor in a VPN', { headers: { 'x-forwarded-for': '100.64.0.5, 172.18.0.3' } }],
  ['a monitor on this machine', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
  ['a monitor in the container', { peer: '172.18.0.1', headers: { 'x-forwarded-for': '172.18.0.1' } }],
  ['a visitor without a proxy', { peer: '203.0.113.9' }],
  ['a health check', { path: '/livez' }],
  ['a sender that asks for the policy', { path: '/.well-known/mta-sts.txt' }],
  ['a request for localhost', { headers: { host: 'localhost:3000' } }],
  ['a request for another host', { headers: { host: '10.0.0.5' } }],
  ['a local site', {}, 'https://localhost'],
  ['a site without https', {}, `http://${HOST}`],
  ['a site in a private network', { headers: { host: '192.168.0.9' } }, 'https://192.168.0.9'],
  ['a site with a private name', { headers: { host: 'mail.lan' } }, 'https://mail.lan'],
])('does not warn of %s', async (_what, how, publicUrl) => {
  await visit(how, publicUrl)
  expect(warn).not.toHaveBeenCalled()
})

test('warns of each proxy', async () => {
  const app = Fastify({ trustProxy: ['127.0.0.1'] })
  warnOfUnnamedClients(app, { publicUrl: `https://${HOST}` }, { warn })
  app.get('/', async () => 'fine')
  for (let i = 0; i < 50; i++)
    await app.inject({ url: '/', remoteAddress: `10.0.0.${i % 25}`, headers: { host: HOST } })
  await app.close()
  expect(warn.mock.calls.map(([fields]) => fields)).toEqual(
    Array.from({ length: 10 }, (_, i) => ({ proxy: `10.0.0.${i}` })),
  )
})
