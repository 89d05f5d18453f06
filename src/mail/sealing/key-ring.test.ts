import { describe, expect, test } from 'vitest'
import { openRing, sealRing, withRing } from './key-ring.ts'
import { type AddressKeys, deriveKeys, newSecret } from './keys.ts'
import { open, SealError } from './open.ts'
import { createSeal } from './seal.ts'

const seal = createSeal()
const newKeys = (): AddressKeys => deriveKeys(newSecret())!
const [first, second, third] = [newKeys(), newKeys(), newKeys()]
const boxOf = ({ publicKey }: AddressKeys, text: string): Uint8Array => seal(publicKey, Buffer.from(text.repeat(50)))
const ring = sealRing(seal, third.publicKey, [
  { privateKey: second.privateKey, retiredAt: 2 },
  { privateKey: first.privateKey, retiredAt: 1 },
])

describe('a ring of earlier keys', () => {
  test('opens what was sealed to each of them, in any order, with the current keys alone', () => {
    const keys = withRing(third, 'the id', ring)
    expect(keys.id).toBe('the id')
    for (const [owner, text] of [
      [first, 'oldest'],
      [third, 'newest'],
      [second, 'between'],
      [first, 'oldest again'],
    ] as const)
      expect(Buffer.from(open(keys, boxOf(owner, text))).toString()).toBe(text.repeat(50))
    expect(() => open(keys, boxOf(newKeys(), 'of another'))).toThrow(SealError)
    expect(() => open(first, boxOf(third, 'newest'))).toThrow(SealError)
  })

  test('says when each was retired, and opens with no earlier key', () => {
    expect(openRing(third, ring).map(({ retiredAt }) => retiredAt)).toEqual([2, 1])
    expect(openRing(third, null)).toEqual([])
    expect(openRing(third, sealRing(seal, third.publicKey, []))).toEqual([])
    for (const keys of [first, second]) expect(() => openRing(keys, ring)).toThrow(SealError)
  })
})
