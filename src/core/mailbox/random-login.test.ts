import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { chosenLogin } from './login.ts'
import { randomLogin } from './random-login.ts'
import { isReserved } from './reserved.ts'
import { WORDS } from './words.ts'

const secure = (bound: number): number => randomInt(bound)

test('has at least 2^40 random logins', () => {
  const bounds: number[] = []
  randomLogin((bound) => {
    bounds.push(bound)
    return 0
  })
  expect(bounds).toEqual([WORDS.length, WORDS.length, WORDS.length, 1000])
  expect(new Set(WORDS).size).toBe(WORDS.length)
  expect(bounds.reduce((product, bound) => product * bound)).toBeGreaterThanOrEqual(2 ** 40)
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
