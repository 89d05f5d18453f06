import { expect, test } from 'vitest'
import { isLoopback, isPrivateHost, senderNetworks, visitorNetworks } from './networks.ts'

const names = (networks: { name: string; times: number }[]) => networks.map(({ name, times }) => `${name} x${times}`)

test.each([
  ['192.0.2.1', ['192.0.2.1 x1']],
  ['::ffff:192.0.2.1', ['192.0.2.1 x1']],
  ['2001:db8:1:2345:3:4:5:6', ['2001:db8:1:2345::/64 x1', '2001:db8:1:2300::/56 x10', '2001:db8:1:0::/48 x100']],
  ['[2001:db8::1]:25', ['2001:db8:0:0::/64 x1', '2001:db8:0:0::/56 x10', '2001:db8:0:0::/48 x100']],
  ['nobody', ['unknown x1']],
])('counts a visitor at %s in %j', (ip, expected) => expect(names(visitorNetworks(ip))).toEqual(expected))

test.each([
  ['192.0.2.77', ['192.0.2.77 x1', '192.0.2.0/24 x10']],
  ['2001:db8:1:2::9', ['2001:db8:1:2::/64 x1', '2001:db8:1:0::/56 x10', '2001:db8:1:0::/48 x100']],
])('counts a sender at %s in %j', (ip, expected) => expect(names(senderNetworks(ip))).toEqual(expected))

test.each([
  ['127.0.0.1', true],
  ['127.9.8.7', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['192.0.2.1', false],
  ['2001:db8::1', false],
  ['nobody', false],
])('reports whether %s is a loopback address: %s', (ip, loopback) => expect(isLoopback(ip)).toBe(loopback))

test.each([
  ['localhost', true],
  ['postfix', true],
  ['postfix.', true],
  ['mail.lan', true],
  ['HOST.docker.internal', true],
  ['router.home.arpa.', true],
  ['10.0.0.5', true],
  ['127.0.0.1', true],
  ['[fd00::5]', true],
  ['::1', true],
  ['mail.example', false],
  ['lan.example', false],
  ['internal.example.', false],
  ['192.0.2.1', false],
  ['[2001:db8::1]', false],
])('whether only a private network reaches %s: %s', (host, isPrivate) => expect(isPrivateHost(host)).toBe(isPrivate))
