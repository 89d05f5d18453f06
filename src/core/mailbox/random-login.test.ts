import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { chosenLogin } from './login.ts'
import { RANDOM_LOGINS, randomLogin } from './random-login.ts'
import { isReserved } from './reserved.ts'
import { WORDS } from './words.ts'

const secure = (bound: number): number => randomInt(bound)

test('has at least 2^40 random logins', () => {
  expect(new Set(WORDS).size ** 3 * 1000).toBe(RANDOM_LOGINS)
  expect(RANDOM_LOGINS).toBeGreaterThanOrEqual(2 ** 40)
})

test('returns logins that are valid and not reserved', () => {
  for (let i = 0; i < 2000; i++) {
    const login = randomLogin(secure)
    expect(chosenLogin(login)).toBe(login)
    expect(isReserved(login)).toBe(false)
  }
})

test('has words of 3 to 5 letters from a to z', () => {
  expect(WORDS.filter((word) => !/^[a-z]{3,5}$/.test(word))).toEqual([])
})

test('returns different logins', () => {
  expect(new Set(Array.from({ length: 1000 }, () => randomLogin(secure))).size).toBe(1000)
})
