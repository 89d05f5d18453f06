import { checkEndings } from './endings.ts'
import { type Finding, findingsAt } from './finding.ts'
import { checkHead } from './head.ts'
import type { Messages } from './keys.ts'
import { checkLengths } from './lengths.ts'
import { checkNumbers } from './numbers.ts'
import { keywordsOf, type Passage } from './passage.ts'
import type { Profile } from './profiles.ts'
import { checkQuoted } from './quoted.ts'
import { type Document, pathOf, type Texts } from './read.ts'
import { checkMarkup, checkStructure } from './structure.ts'

/** The Markdown files of a language: in themselves, and against those of the source. */
export function checkDocuments(texts: Texts, source: Texts, profile: Profile): Finding[] {
  return [...texts.documents].flatMap(([slug, own]) => {
    const model = source.documents.get(slug)
    const faults = [
      ...checkMarkup(own.blocks),
      ...(model ? checkDocument(own, model, profile) : []),
      ...(model ? checkEndings(own.blocks, model.blocks, texts.code) : []),
      ...(model ? checkInterfaceWords(own, model, texts.messages, source.messages) : []),
    ]
    return findingsAt(pathOf(slug, texts.code), faults)
  })
}

const textOf = ({ fields, blocks }: Document): string =>
  [fields.title, fields.description, ...blocks.map(({ text }) => text)].join('\n')

const checkDocument = (own: Document, model: Document, profile: Profile): string[] => [
  ...checkHead(own.fields, model.fields),
  ...checkStructure(own.blocks, model.blocks),
  ...checkLengths(own.blocks, model.blocks, profile.length),
  ...checkNumbers(textOf(own), textOf(model), profile.numbers),
]

/** Block by block where the blocks are the same, else in all of the text. */
function checkInterfaceWords(own: Document, model: Document, messages: Messages, source: Messages): string[] {
  if (own.blocks.length !== model.blocks.length) return checkQuoted(textOf(own), textOf(model), messages, source)
  return own.blocks.flatMap(({ text }, i) => checkQuoted(text, model.blocks[i]?.text ?? '', messages, source))
}

/** What the files say: titles, descriptions, keywords and blocks. */
export function passagesOf(texts: Texts): Passage[] {
  return [...texts.documents].flatMap(([slug, { fields, blocks }]) => {
    const { title = '', description = '', keywords = '' } = fields
    const where = pathOf(slug, texts.code)
    const shown = [title, description, ...blocks.map(({ text }) => text)].filter((text) => text !== '')
    return [
      ...shown.map((text) => ({ where, text })),
      ...keywordsOf(keywords).map((text) => ({ where, text, keyword: true })),
    ]
  })
}
