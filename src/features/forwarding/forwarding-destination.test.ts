import { expect, test } from 'vitest'
import { SealError } from '#mail/sealing/open.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { destinationKey, openRoute, sealRoute } from './forwarding-destination.ts'

const wrap = createWrap(new Uint8Array(32))
const key = (destination: string) => destinationKey(wrap, destination)

test.each([
  ['Ann@Example.COM', true],
  ['ann+shop@example.com', true],
  ['ann+a+b@example.com', true],
  ['ann+@example.com', true],
  ['anna@example.com', false],
  ['ann@example.org', false],
  ['+ann@example.com', false],
])('%s is the mailbox ann@example.com: %s', (destination, same) =>
  expect(key(destination) === key('ann@example.com')).toBe(same),
)

test.each([
  ['an.n@gmail.com', true],
  ['A.N.N+x@GoogleMail.com', true],
  ['annn@gmail.com', false],
  ['an.n@gmail.com.example', false],
])('%s is the mailbox ann@gmail.com: %s', (destination, same) =>
  expect(key(destination) === key('ann@gmail.com')).toBe(same),
)

test('dots count outside of Google', () => expect(key('an.n@example.com')).not.toBe(key('ann@example.com')))

test('keeps a local part that is only a tag, and normalizes Unicode', () => {
  expect(key('+ann@example.com')).not.toBe(key('+ben@example.com'))
  expect(key('zo\u00eb@example.com')).toBe(key('zoe\u0308@example.com'))
})

test('wraps address and destination for one forwarding', () => {
  const route = { address: 'a@mayfly.test', destination: 'Ann+x@example.com' }
  const sealedDestination = sealRoute(wrap, 'id', route)
  expect(openRoute(wrap, { id: 'id', sealedDestination })).toEqual(route)
  expect(() => openRoute(wrap, { id: 'another', sealedDestination })).toThrow(SealError)
  expect(Buffer.from(sealedDestination).includes('example')).toBe(false)
})
