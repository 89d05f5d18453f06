import { expect, it } from 'vitest'
import { blocksOf } from './blocks.ts'
import { checkMarkup, checkStructure } from './structure.ts'

const source = '## Head\n\nA **bold** `word` and [one](/a) and [two](/b).\n\n- x\n- y\n\n```sh\ncurl\n```\n'
const structure = (text: string) => checkStructure(blocksOf(text), blocksOf(source))
const markup = (text: string) => checkMarkup(blocksOf(text))

it('accepts the same structure in other words, with links in another order', () => {
  expect(
    structure(
      source.replace('A **bold** `word` and [one](/a) and [two](/b)', '[zwei](/b), [eins](/a), `word`, **fett**'),
    ),
  ).toEqual([])
})

it.each([
  ['a heading of a different level', '## Head', '### Head', /^block 1 is h3 "Head" where the source has h2/],
  ['a missing list item', '- x\n', '', /^block 3 is ul 1/],
  ['a different kind of list', '- x\n- y', '1. x\n2. y', /^block 3 is ol 2/],
  ['a different link target', '/b', '/c', /^the links should be \/a \/b, not \/a \/c/],
  ['different code', '`word`', '`Wort`', /^the code should be word, not Wort/],
  ['a missing bold passage', '**bold**', 'bold', /^the number of words in bold should be 1, not 0/],
  ['a different fence', 'curl', 'wget', /^has different code in its fence/],
])('finds %s', (_, from, to, fault) => {
  expect(structure(source.replace(from, to))).toEqual([expect.stringMatching(fault)])
})

it('finds missing and superfluous blocks', () => {
  expect(structure('## Head')).toHaveLength(1)
  expect(structure(`${source}\nMore.`)).toEqual(['block 7 is p "More." where the source has nothing'])
})

it.each([
  ['# Head', /first level/],
  ['A <b>word</b>', /HTML/],
  ['这是**“粗体”**的字', /marks that are not Markdown/],
  ['A [link] (/a) with `code', /marks that are not Markdown/],
])('finds invalid markup in "%s"', (text, fault) => {
  expect(markup(text)).toContainEqual(expect.stringMatching(fault))
})

it('accepts valid markup', () => {
  expect(markup(source)).toEqual([])
})
