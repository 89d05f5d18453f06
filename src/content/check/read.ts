import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '#locales/languages.ts'
import { exampleFigures, fillFigures, numberLocale } from '../figures.ts'
import { parseFrontMatter } from '../markdown.ts'
import { type Block, blocksOf } from './blocks.ts'
import { branchTexts, checkFigures } from './figures.ts'
import { type Finding, findingsAt } from './finding.ts'
import type { Glossary } from './glossary.ts'
import type { Messages } from './keys.ts'

/** The text of a Markdown file. */
export interface Document {
  fields: Record<string, string>
  blocks: Block[]
  /** The branches of its plurals, of which the blocks have one each. */
  branches: string[]
}

/** All texts of one language. */
export interface Texts {
  code: string
  messages: Messages
  glossary: Glossary
  /** The documents by slug, such as `pages/home`. */
  documents: Map<string, Document>
  /** Files that are missing or invalid. */
  faults: Finding[]
}

/** Returns the slugs of the Markdown files in `content/`, such as `pages/home` and `articles/spotting-phishing`. */
export const slugsOf = (root: string): string[] =>
  ['pages', 'articles'].flatMap((kind) =>
    readdirSync(join(root, 'content', kind))
      .toSorted()
      .map((slug) => `${kind}/${slug}`),
  )

export const pathOf = (slug: string, code: string): string => `content/${slug}/${code}.md`

export function readTexts(root: string, code: string, slugs: readonly string[]): Texts {
  const digits = numberLocale(code)
  const figures = exampleFigures(digits)
  const locale = languages.find((language) => language.code === code)?.locale ?? code
  const texts: Texts = { code, messages: {}, glossary: {}, documents: new Map(), faults: [] }
  const attempt = (where: string, work: (source: string) => void) => {
    try {
      work(readFileSync(join(root, where), 'utf8'))
    } catch (error) {
      texts.faults.push({ where, what: existsSync(join(root, where)) ? String(error) : 'is missing' })
    }
  }
  attempt(`locales/${code}.json`, (source) => {
    texts.messages = JSON.parse(source) as Messages
  })
  attempt(`locales/glossary/${code}.json`, (source) => {
    texts.glossary = JSON.parse(source) as Glossary
  })
  for (const slug of slugs) {
    const only = ONLY[slug]
    if (only !== undefined && only !== code) continue
    attempt(pathOf(slug, code), (source) => {
      // Comments are marks for the library, not content.
      const text = source.replaceAll(/ *<!--.*?-->/g, '')
      texts.faults.push(...findingsAt(pathOf(slug, code), checkFigures(text, locale)))
      const { fields, body } = parseFrontMatter(fillFigures(text, figures, digits))
      texts.documents.set(slug, { fields, blocks: blocksOf(body), branches: branchTexts(text) })
    })
  }
  return texts
}

/** Pages that exist in one language only. */
const ONLY: Record<string, string> = { 'pages/faq': 'zh' }
