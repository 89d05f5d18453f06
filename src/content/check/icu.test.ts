import { expect, it } from 'vitest'
import { argumentsOf, parseMessage, textIn, variantsOf } from './icu.ts'
import { HOLE } from './passage.ts'

const text = '{n, plural, =0 {} one {# day of {name}} other {# days}} left'

it('returns arguments, also in branches', () => {
  expect(argumentsOf(parseMessage(text))).toEqual([
    { name: 'n', type: 'plural', branches: ['=0', 'one', 'other'] },
    { name: 'name', type: 'argument', branches: [] },
  ])
})

it('returns the text of each branch once', () => {
  expect(variantsOf(parseMessage(text))).toEqual([`${HOLE} days left`, ' left', `${HOLE} day of ${HOLE} left`])
  expect(textIn(parseMessage(text))).toBe(`${HOLE} days left`)
})

it('throws for an invalid message', () => {
  expect(() => parseMessage('{n, plural, one {#}')).toThrow()
})
