import { expect, it } from 'vitest'
import { checkKeys } from './keys.ts'

const source = { a: 'one', b: 'two', c: 'three' }
const faults = (messages: Record<string, string>) =>
  checkKeys(messages, source).map(({ where, what }) => `${where} ${what}`)

it('takes the keys of the source in its order', () => {
  expect(faults({ a: 'eins', b: 'zwei', c: 'drei' })).toEqual([])
})

it('names keys that are missing, spare or moved', () => {
  expect(faults({ a: 'eins' })).toEqual(['messages lack 2 keys of the source: b, c'])
  expect(faults({ a: 'eins', b: 'zwei', c: 'drei', d: 'vier' })).toEqual(['d is no key of the source'])
  expect(faults({ b: 'zwei', a: 'eins', c: 'drei' })).toEqual(['b stands where the source has a'])
})

it('names empty texts and spaces at an end', () => {
  expect(faults({ a: '', b: 'zwei ', c: ' ' })).toEqual([
    'a is empty',
    'b has a space at its end or start',
    'c is empty',
  ])
})
