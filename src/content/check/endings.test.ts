import { expect, it } from 'vitest'
import { blocksOf } from './blocks.ts'
import { checkEndings } from './endings.ts'

const check = (text: string, code = 'de') => checkEndings(blocksOf(text), blocksOf('## Head\n\nA sentence.'), code)

it('finds a paragraph that was cut off', () => {
  expect(check('## Kopf\n\nEin Satz, der')).toEqual(['ends without a stop: "Ein Satz, der"'])
})

it('accepts the full stops of every language, and none in Thai', () => {
  expect(
    ['Satz.', '句子。', 'वाक्य।', 'جملہ۔', 'ዓረፍተ ነገር።', '“Satz.”'].flatMap((text) => check(`## K\n\n${text}`)),
  ).toEqual([])
  expect(check('## ห\n\nประโยค', 'th')).toEqual([])
})
