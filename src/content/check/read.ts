import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseFrontMatter } from '../front-matter.ts'
import { type Block, blocksOf } from './blocks.ts'
import type { Messages } from './keys.ts'

/** The text of a Markdown file. */
export interface Document {
  fields: Record<string, string>
  blocks: Block[]
  /** As it stands in the file. */
  source: string
}

/** All texts of one language; what isn't there, or can't be read, is named among the faults. */
export interface Texts {
  code: string
  messages: Messages
  /** By path without language: `pages/home`. */
  documents: Map<string, Document>
  faults: { where: string; what: string }[]
}

/** Files below `content/`, by kind: `pages/home`, `articles/spotting-phishing`. */
export const slugsOf = (root: string): string[] =>
  ['pages', 'articles'].flatMap((kind) =>
    readdirSync(join(root, 'content', kind))
      .toSorted()
      .map((slug) => `${kind}/${slug}`),
  )

export function readTexts(root: string, code: string): Texts {
  const texts: Texts = { code, messages: {}, documents: new Map(), faults: [] }
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
  for (const slug of slugsOf(root)) {
    const path = `content/${slug}/${code}.md`
    if (!existsSync(join(root, path))) continue
    attempt(path, (source) => {
      const { fields, body } = parseFrontMatter(source)
      texts.documents.set(slug, { fields, blocks: blocksOf(body), source })
    })
  }
  return texts
}
