import { expect, it } from 'vitest'
import { checkKeys } from './keys.ts'

const source = { a: 'one', b: 'two', c: 'three' }
const faults = (messages: Record<string, string>) =>
  checkKeys(messages, source).map(({ where, what }) => `${where} ${what}`)

it('accepts the keys of the source in its order', () => {
  expect(faults({ a: 'eins', b: 'zwei', c: 'drei' })).toEqual([])
})

it('finds missing, superfluous and moved keys', () => {
  expect(faults({ a: 'eins' })).toEqual(['messages lack 2 keys of the source: b, c'])
  expect(faults({ a: 'eins', b: 'zwei', c: 'drei', d: 'vier' })).toEqual(['d is not a key of the source'])
  expect(faults({ b: 'zwei', a: 'eins', c: 'drei' })).toEqual(['b is out of order: the source has a there'])
})

it('finds empty texts and surrounding spaces', () => {
  expect(faults({ a: '', b: 'zwei ', c: ' ' })).toEqual([
    'a is empty',
    'b has a space at its end or start',
    'c is empty',
  ])
})
