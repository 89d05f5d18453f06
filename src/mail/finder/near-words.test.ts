import { expect, test } from 'vitest'
import { firstWords, lastWords } from './near-words.ts'

test('words around a candidate are features with their place', () => {
  expect(lastWords('hi anna, your code is: ', 2, 'before')).toEqual(['~code before', '~is before'])
  expect(firstWords(', valid 10 minutes', 2, 'behind')).toEqual(['~valid behind', '~minutes behind'])
})

test('codes and numbers are no words', () => {
  expect(lastWords('qf86 7d57a, ref x9q: your code', 4, 'before')).toEqual([
    '~ref before',
    '~your before',
    '~code before',
  ])
  expect(lastWords('ログイン用の6桁コード', 3, 'before')).toEqual(['~桁コ before', '~コー before', '~ード before'])
})

test('in scripts without spaces, each two letters are a word', () => {
  expect(lastWords('您的验证码为', 2, 'before')).toEqual(['~证码 before', '~码为 before'])
  expect(firstWords('に入力', 3, 'behind')).toEqual(['~に入 behind', '~入力 behind'])
})

test('only the text next to the candidate is searched', () => {
  const far = 'x'.repeat(60)
  expect(lastWords(`code ${far}`, 3, 'before')).toEqual([`~${far} before`])
})
