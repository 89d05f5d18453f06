import { expect, it } from 'vitest'
import { checkSpoken } from './spoken.ts'

const number = [{ name: 'n', type: 'plural' }]

it('accepts a message that is correct with all numbers', () => {
  expect(checkSpoken('{n, plural, one {# mail} other {# mails}}', number, 'en-US')).toEqual([])
})

it('finds unfilled placeholders', () => {
  expect(checkSpoken("{n, plural, one {1} other {'{n}' mails}}", number, 'en-US')).toEqual([
    'has an unfilled placeholder with 0: {n} mails',
  ])
})

it('finds doubled spaces in any branch', () => {
  const text = 'In {n, plural, one { one minute} other {# minutes}}'
  expect(checkSpoken(text, number, 'en-US')).toEqual(['has a superfluous space with 1: "In  one minute"'])
})
