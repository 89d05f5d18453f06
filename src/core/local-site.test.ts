import { expect, test } from 'vitest'
import { hostNameOf, isLocalHost, isLocalSite, isPublicSite } from './local-site.ts'

test.each([
  ['localhost', 'localhost'],
  ['LOCALHOST:3000', 'localhost'],
  ['mayfly.example.', 'mayfly.example'],
  ['Mayfly.Example.:8443', 'mayfly.example'],
  ['127.0.0.1:80', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['[::1]:3000', '[::1]'],
  ['[0:0:0:0:0:0:0:1]', '[::1]'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['', undefined],
  ['a b', undefined],
  ['a/b', undefined],
  ['evil.example@localhost', undefined],
  ['localhost, evil.example', undefined],
  ['localhost:99999', undefined],
  ['[::1', undefined],
  ['::1', undefined],
])('returns the host name of "%s" as %s', (host, name) => expect(hostNameOf(host)).toBe(name))

test.each([
  ['localhost', true],
  ['app.localhost', true],
  ['127.0.0.1', true],
  ['127.255.0.9', true],
  ['[::1]', true],
  ['[::ffff:7f00:1]', true],
  ['localhost.example', false],
  ['notlocalhost', false],
  ['127.0.0.1.example', false],
  ['128.0.0.1', false],
  ['[::2]', false],
  ['[::ffff:8000:1]', false],
  ['0.0.0.0', false],
  ['192.168.0.1', false],
])('reports whether %s is this machine: %s', (name, local) => expect(isLocalHost(name)).toBe(local))

test.each([
  ['http://localhost:3000', true],
  ['http://LOCALHOST.', true],
  ['https://[::1]', true],
  ['http://127.1', true],
  ['https://localhost.example', false],
  ['http://0.0.0.0', false],
])('reports whether the site %s is on this machine: %s', (url, local) => expect(isLocalSite(url)).toBe(local))

test.each([
  ['https://mayfly.example', true],
  ['http://mayfly:3000', false],
  ['https://localhost', false],
])('reports whether strangers use the site %s: %s', (url, isPublic) => expect(isPublicSite(url)).toBe(isPublic))
