import { expect, test } from 'vitest'
import { forwardingWay } from './site.ts'

const PUBLIC = { PUBLIC_URL: 'https://mayfly.example', HOST: '127.0.0.1' }
const HERE = { PUBLIC_URL: undefined, HOST: '127.0.0.1' }
const RELAY = 'smtp://relay.example'

test.each([
  ['a public site', { ...PUBLIC, FORWARD_OUTBOX: 'auto', OUTBOUND_URL: undefined }, 'none'],
  ['a public site with files', { ...PUBLIC, FORWARD_OUTBOX: 'on', OUTBOUND_URL: undefined }, 'outbox'],
  ['a public site with a relay', { ...PUBLIC, FORWARD_OUTBOX: 'off', OUTBOUND_URL: RELAY }, 'relay'],
  ['one on this machine', { ...HERE, FORWARD_OUTBOX: 'auto', OUTBOUND_URL: undefined }, 'outbox'],
  ['one on this machine, by IPv6', { ...HERE, HOST: '::1', FORWARD_OUTBOX: 'auto', OUTBOUND_URL: undefined }, 'outbox'],
  ['one on this machine without files', { ...HERE, FORWARD_OUTBOX: 'off', OUTBOUND_URL: undefined }, 'none'],
  ['one on this machine with a relay', { ...HERE, FORWARD_OUTBOX: 'on', OUTBOUND_URL: RELAY }, 'relay'],
] as const)('%s forwards by %o', (_what, config, way) => expect(forwardingWay(config)).toBe(way))
