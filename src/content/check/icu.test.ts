import { expect, it } from 'vitest'
import { argumentsOf, parseMessage, textIn, variantsOf } from './icu.ts'
import { PLACEHOLDER } from './passage.ts'

const text = '{n, plural, =0 {} one {# day of {name}} other {# days}} left'

it('returns arguments, also in branches', () => {
  expect(argumentsOf(parseMessage(text))).toEqual([
    { name: 'n', type: 'plural', branches: ['=0', 'one', 'other'] },
    { name: 'name', type: 'argument', branches: [] },
  ])
})

it('returns the text of each branch once', () => {
  expect(variantsOf(parseMessage(text))).toEqual([
    `${PLACEHOLDER} days left`,
    ' left',
    `${PLACEHOLDER} day of ${PLACEHOLDER} left`,
  ])
  expect(textIn(parseMessage(text))).toBe(`${PLACEHOLDER} days left`)
})

it('throws for an invalid message', () => {
  expect(() => parseMessage('{n, plural, one {#}')).toThrow()
})
