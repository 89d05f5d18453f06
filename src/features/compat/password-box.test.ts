import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPasswordBoxes } from './password-box.ts'

/** scrypt itself is tested in key-stretching.test.ts. */
const stretched: string[] = []
const stretch = async (password: string, salt: unknown): Promise<Buffer> => {
  stretched.push(password)
  return createHash('sha256')
    .update(password)
    .update(salt as Buffer)
    .digest()
}
const boxes = createPasswordBoxes(Buffer.alloc(32, 1), stretch)

test('opens with the password, for the same address, and with the same service key', async () => {
  const seal = async () => (await boxes.newKey('right')).seal('address', 'the secret')
  const [sealedSecret, another] = [await seal(), await seal()]
  expect(sealedSecret).not.toEqual(another)
  expect(await boxes.open('right', { addressId: 'address', sealedSecret })).toBe('the secret')
  expect(await boxes.open('wrong', { addressId: 'address', sealedSecret })).toBeUndefined()
  expect(await boxes.open('right', { addressId: 'other', sealedSecret })).toBeUndefined()
  const elsewhere = createPasswordBoxes(Buffer.alloc(32, 2), stretch)
  expect(await elsewhere.open('right', { addressId: 'address', sealedSecret })).toBeUndefined()
  for (const at of [0, 5, 20, sealedSecret.length - 1]) {
    const damaged = Uint8Array.from(sealedSecret, (byte, i) => (i === at ? byte ^ 1 : byte))
    expect(await boxes.open('right', { addressId: 'address', sealedSecret: damaged })).toBeUndefined()
  }
})

test('does the same work if there is no such address', async () => {
  stretched.length = 0
  expect(await boxes.open('guess', undefined)).toBeUndefined()
  expect(stretched).toEqual(['guess'])
})
