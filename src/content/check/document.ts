import { checkEndings } from './endings.ts'
import { type Finding, findingsAt } from './finding.ts'
import { checkHead } from './head.ts'
import { checkLengths } from './lengths.ts'
import { checkNumbers } from './numbers.ts'
import { keywordsOf, type Passage } from './passage.ts'
import type { Profile } from './profiles.ts'
import { checkQuoted } from './quoted.ts'
import { type Document, pathOf, type Texts } from './read.ts'
import { checkMarkup, checkStructure } from './structure.ts'

/** Checks the Markdown files of a language, and compares them with those of the source. */
export function checkDocuments(texts: Texts, source: Texts, profile: Profile): Finding[] {
  return [...texts.documents].flatMap(([slug, own]) => {
    const model = source.documents.get(slug)
    const compared = model ? compare(own, model, texts.code, profile) : []
    const pairs = model ? pairsOf(own, model) : []
    const facts = pairs.flatMap(([text, original]) => [
      ...checkNumbers(text, original, profile.numbers),
      ...checkQuoted(text, original, texts.messages, source.messages),
    ])
    return findingsAt(pathOf(slug, texts.code), [...checkMarkup(own.blocks), ...compared, ...facts])
  })
}

const compare = (own: Document, model: Document, code: string, profile: Profile): string[] => [
  ...checkHead(own.fields, model.fields),
  ...checkStructure(own.blocks, model.blocks),
  ...checkLengths(own.blocks, model.blocks, profile.length),
  ...checkEndings(own.blocks, model.blocks, code),
]

/**
 * Returns pairs of corresponding texts: titles, descriptions, and blocks one by one, or all blocks as one if their
 * number differs.
 */
function pairsOf(own: Document, model: Document): [text: string, original: string][] {
  const head = ['title', 'description'].map((name): [string, string] => [
    own.fields[name] ?? '',
    model.fields[name] ?? '',
  ])
  if (own.blocks.length !== model.blocks.length) return [...head, [textOf(own), textOf(model)]]
  return [...head, ...own.blocks.map(({ text }, i): [string, string] => [text, model.blocks[i]?.text ?? ''])]
}

const textOf = ({ blocks }: Document): string => blocks.map(({ text }) => text).join('\n')

/** Returns the titles, descriptions, keywords and blocks of the files. */
export function passagesOf(texts: Texts): Passage[] {
  return [...texts.documents].flatMap(([slug, { fields, blocks, branches }]) => {
    const { title = '', description = '', keywords = '' } = fields
    const where = pathOf(slug, texts.code)
    const shown = [title, description, ...blocks.map(({ text }) => text)].filter((text) => text !== '')
    return [
      ...shown.map((text) => ({ where, text })),
      ...branches.map((text) => ({ where, text })),
      ...keywordsOf(keywords).map((text) => ({ where, text, keyword: true })),
    ]
  })
}
