import { expect, test } from 'vitest'
import { networks } from './kinds.ts'

test.each([
  ['', []],
  ['127.0.0.1', ['127.0.0.1']],
  [' 10.0.0.0/8 , fd00::/8,::1 ', ['10.0.0.0/8', 'fd00::/8', '::1']],
  ['128.0.0.0/1', ['128.0.0.0/1']],
  ['192.0.2.0/32,2001:db8::/128', ['192.0.2.0/32', '2001:db8::/128']],
])('parses %j as %j', (text, value) => expect(networks.read(text)).toEqual(value))

test.each([
  'proxy',
  '10.0.0.0/33',
  '::1/129',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0/8',
  '10.0.0.0/-1',
  '0.0.0.0/0',
  '::/0',
  '300.1.1.1',
  '1.2.3.4 5.6.7.8',
])('rejects %j', (text) => expect(() => networks.read(text)).toThrow('IP addresses or networks'))
