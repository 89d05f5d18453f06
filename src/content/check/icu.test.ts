import { expect, it } from 'vitest'
import { argumentsOf, parseMessage, say, variantsOf } from './icu.ts'
import { HOLE } from './passage.ts'

const text = '{n, plural, =0 {} one {# day of {name}} other {# days}} left'

it('finds arguments in branches, too', () => {
  expect(argumentsOf(parseMessage(text))).toEqual([
    { name: 'n', type: 'plural', branches: ['=0', 'one', 'other'] },
    { name: 'name', type: 'argument', branches: [] },
  ])
})

it('says each branch once', () => {
  expect(variantsOf(parseMessage(text))).toEqual([`${HOLE} days left`, ' left', `${HOLE} day of ${HOLE} left`])
  expect(say(parseMessage(text))).toBe(`${HOLE} days left`)
})

it('throws for what is no message', () => {
  expect(() => parseMessage('{n, plural, one {#}')).toThrow()
})
