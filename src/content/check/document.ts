import type { Finding } from './finding.ts'
import { checkHead } from './head.ts'
import { checkLengths } from './lengths.ts'
import type { Messages } from './keys.ts'
import { checkNumbers } from './numbers.ts'
import { keywordsOf, type Passage } from './passage.ts'
import type { Profile } from './profiles.ts'
import { checkQuoted } from './quoted.ts'
import type { Document, Texts } from './read.ts'
import { checkMarkup, checkStructure } from './structure.ts'

/** Pages that only the standard language has. */
const ONLY: Record<string, string> = { 'pages/faq': 'zh' }

export const pathOf = (slug: string, code: string): string => `content/${slug}/${code}.md`

/** The Markdown files of a language against those of the source. */
export function checkDocuments(texts: Texts, source: Texts, slugs: string[], profile: Profile): Finding[] {
  return slugs.flatMap((slug) => {
    const only = ONLY[slug]
    const [own, model] = [texts.documents.get(slug), source.documents.get(slug)]
    const where = pathOf(slug, texts.code)
    if (only !== undefined && only !== texts.code) return own ? [{ where, what: `is for ${only} alone` }] : []
    if (!own) return texts.faults.some((fault) => fault.where === where) ? [] : [{ where, what: 'is missing' }]
    const faults = [...checkMarkup(own.blocks), ...(model ? against(own, model, texts, source, profile) : [])]
    return faults.map((what) => ({ where, what }))
  })
}

function against(own: Document, model: Document, texts: Texts, source: Texts, profile: Profile): string[] {
  const structure = checkStructure(own.blocks, model.blocks)
  const [text, original] = [own, model].map((each) => each.blocks.map((block) => block.text).join('\n'))
  return [
    ...checkHead(own.fields, model.fields),
    ...structure,
    ...checkLengths(own.blocks, model.blocks, profile.length),
    ...checkNumbers(text ?? '', original ?? ''),
    ...(own.blocks.length === model.blocks.length
      ? own.blocks.flatMap((block, i) =>
          quotedOf(block.text, model.blocks[i]?.text ?? '', texts.messages, source.messages),
        )
      : quotedOf(text ?? '', original ?? '', texts.messages, source.messages)),
  ]
}

const quotedOf = (text: string, original: string, own: Messages, source: Messages): string[] =>
  checkQuoted(text, original, own, source)

/** What the files say: head and blocks, each a passage. */
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
