import { expect, it } from 'vitest'
import { blocksOf } from './blocks.ts'
import { checkLengths } from './lengths.ts'

const text = (...lengths: number[]) => blocksOf(lengths.map((length) => 'a'.repeat(length)).join('\n\n'))
const source = text(400, 400, 400, 20)

it('accepts texts within the usual length of the language', () => {
  expect(checkLengths(text(450, 430, 420, 60), source, [0.85, 1.5])).toEqual([])
})

it('finds a text that is too short or too long as a whole', () => {
  expect(checkLengths(text(300, 300, 300, 20), source, [0.85, 1.5])).toEqual([
    'is 0.75 times as long as the source, not 0.85 to 1.5',
  ])
  expect(checkLengths(text(700, 700, 700, 20), source, [0.85, 1.5])).toHaveLength(1)
})

it('finds a paragraph that is much shorter than its neighbors', () => {
  expect(checkLengths(text(450, 250, 450, 20), source, [0.85, 1.5])).toEqual([
    expect.stringMatching(/^says less than the source/),
  ])
})
