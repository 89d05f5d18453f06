import { passagesOf as documentPassages } from './document.ts'
import { passagesOf as messagePassages } from './messages.ts'
import { type Passage, sentencesOf } from './passage.ts'
import { readTexts, slugsOf, type Texts } from './read.ts'
import { indexTwins } from './twins.ts'

/** The source language of all translations. */
export const SOURCE = 'en'

/** All texts of all languages, and the data that every language is compared with. */
export interface Corpus {
  texts: ReadonlyMap<string, Texts>
  passages: ReadonlyMap<string, readonly Passage[]>
  source: Texts
  /** Sentences of the source. */
  sentences: ReadonlySet<string>
  /** The languages of each long passage by its text. */
  twins: ReadonlyMap<string, readonly string[]>
}

/** Reads `locales/` and `content/` below `root`. */
export function readCorpus(root: string, codes: readonly string[]): Corpus {
  const slugs = slugsOf(root)
  const source = readTexts(root, SOURCE, slugs)
  const texts = new Map(codes.map((code) => [code, code === SOURCE ? source : readTexts(root, code, slugs)]))
  const passages = new Map(
    [...texts].map(([code, its]) => [code, [...messagePassages(its.messages), ...documentPassages(its)]]),
  )
  const sentences = new Set((passages.get(SOURCE) ?? []).flatMap(({ text }) => sentencesOf(text)))
  return { texts, passages, source, sentences, twins: indexTwins(passages) }
}
