import { describe, expect, test } from 'vitest'
import { newSecret } from '#core/mailbox/secret.ts'
import { openRing, sealRing, withRing } from './key-ring.ts'
import { type AddressKeys, deriveKeys } from './keys.ts'
import { createOpener, SealError } from './open.ts'
import { createSeal } from './seal.ts'

const seal = createSeal()

const opener = createOpener(0)
const owner = { id: 'the id', createdAt: 0 }
const place = { kind: 'body', addressId: owner.id, messageId: 'message', at: 0 } as const
const newKeys = (): AddressKeys => deriveKeys(newSecret())!
const [first, second, third] = [newKeys(), newKeys(), newKeys()]
const boxOf = ({ publicKey }: AddressKeys, text: string): Uint8Array =>
  seal(publicKey, place, Buffer.from(text.repeat(50)))
const ring = sealRing(seal, third.publicKey, owner, [
  { privateKey: second.privateKey, retiredAt: 2 },
  { privateKey: first.privateKey, retiredAt: 1 },
])

describe('a key ring', () => {
  test('opens boxes sealed to each of its keys, in any order, given only the current keys', () => {
    const keys = withRing(opener, third, owner, ring)
    expect(keys.id).toBe('the id')
    for (const [holder, text] of [
      [first, 'oldest'],
      [third, 'newest'],
      [second, 'between'],
      [first, 'oldest again'],
    ] as const)
      expect(Buffer.from(opener.open(keys, place, boxOf(holder, text))).toString()).toBe(text.repeat(50))
    expect(() => opener.open(keys, place, boxOf(newKeys(), 'of another'))).toThrow(SealError)
    expect(() => opener.open(first, place, boxOf(third, 'newest'))).toThrow(SealError)
  })

  test('contains the retirement time of each key, and does not open with an earlier key', () => {
    expect(openRing(opener, third, owner, ring).map(({ retiredAt }) => retiredAt)).toEqual([2, 1])
    expect(openRing(opener, third, owner, null)).toEqual([])
    expect(openRing(opener, third, owner, sealRing(seal, third.publicKey, owner, []))).toEqual([])
    for (const keys of [first, second]) expect(() => openRing(opener, keys, owner, ring)).toThrow(SealError)
    expect(() => openRing(opener, third, { ...owner, id: 'another' }, ring)).toThrow(SealError)
  })
})
