import { expect, it } from 'vitest'
import { PLACEHOLDER, keywordsOf, proseOf, sentencesOf, widthOf } from './passage.ts'

it('replaces URLs and email addresses with holes', () => {
  expect(proseOf('See https://example.com/a?b=c or write to a.b+c@mail.example.com.')).toBe(
    `See ${PLACEHOLDER} or write to ${PLACEHOLDER}.`,
  )
  expect(proseOf('Sie/er und 24/7')).toBe('Sie/er und 24/7')
})

it('splits sentences', () => {
  expect(sentencesOf('One 3.1 two. Three? Four')).toEqual(['One 3.1 two', 'Three', 'Four'])
  expect(sentencesOf('一句。两句。')).toHaveLength(2)
  expect(sentencesOf('एक वाक्य। दूसरा वाक्य।')).toHaveLength(2)
})

it('splits keywords', () => {
  expect(keywordsOf('a b, c,d')).toEqual(['a b', 'c', 'd'])
})

it('counts graphemes, wide East Asian ones twice', () => {
  expect(widthOf('Mail')).toBe(4)
  expect(widthOf('邮箱')).toBe(4)
  expect(widthOf('메일、メール')).toBe(12)
  expect(widthOf('नमस्ते')).toBeLessThan('नमस्ते'.length)
})
