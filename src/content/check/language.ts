import type { Language } from '#locales/languages.ts'
import { checkCharacters } from './characters.ts'
import { type Corpus, SOURCE } from './corpus.ts'
import { checkDocuments } from './document.ts'
import { checkFunctionWords, checkLatinRuns, checkUntranslated } from './english.ts'
import { type Finding, findingsAt } from './finding.ts'
import { checkAvoided, checkGlossary } from './glossary.ts'
import { checkMessages } from './messages.ts'
import { checkDigits } from './numbers.ts'
import type { Passage } from './passage.ts'
import { type Profile, profileOf } from './profiles.ts'
import { checkPunctuation } from './punctuation.ts'
import { checkMixedQuotes, checkQuotes } from './quotes.ts'
import type { Texts } from './read.ts'
import { checkLetters, checkNeeds, checkScript } from './script.ts'
import { checkStyle } from './style.ts'
import { checkTwin } from './twins.ts'

/** Texts of a language with fewer letters may lack some of its required letters. */
const LONG_TEXT = 20_000

/** Returns all findings in the texts of a language. */
export function checkLanguage(language: Language, corpus: Corpus): Finding[] {
  const { code } = language
  const texts = corpus.texts.get(code)
  if (!texts) throw new Error(`The texts in ${code} were not read`)
  const profile = profileOf(code)
  const passages = corpus.passages.get(code) ?? []
  const whole = passages.map(({ text }) => text).join('\n')
  const findings = [
    ...texts.faults,
    ...checkMessages(texts, corpus.source, language),
    ...findingsAt(`locales/glossary/${code}.json`, checkGlossary(texts.glossary, corpus.source)),
    ...checkDocuments(texts, corpus.source, profile),
    ...passages.flatMap((passage) => findingsAt(passage.where, checkPassage(passage, texts, profile))),
    ...(code === SOURCE ? [] : passages.flatMap((passage) => compare(passage, code, corpus))),
    ...checkMixedQuotes(passages, profile),
    ...findingsAt('all texts', checkScript(whole, profile)),
    ...findingsAt('all texts', whole.length > LONG_TEXT ? checkNeeds(whole, profile) : []),
  ]
  return [...new Map(findings.map((finding) => [`${finding.where}: ${finding.what}`, finding])).values()]
}

/** Checks a passage on its own. */
function checkPassage({ where, text, keyword }: Passage, { code, glossary }: Texts, profile: Profile): string[] {
  const always = [...checkCharacters(text, code, profile), ...checkPunctuation(text, code)]
  if (keyword) return always
  return [
    ...always,
    ...checkAvoided(text, glossary),
    ...(code === SOURCE ? checkStyle(text, where.startsWith('content/') ? 'document' : 'interface') : []),
    ...checkQuotes(text, profile),
    ...checkDigits(text, profile.zero),
    ...checkLetters(text, profile),
    ...(profile.scripts[0] === 'Latin' ? [] : checkLatinRuns(text)),
  ]
}

/** Compares a passage with English and with the other languages. */
function compare({ where, text, keyword }: Passage, code: string, { sentences, twins }: Corpus): Finding[] {
  if (keyword) return []
  const faults = [
    ...checkFunctionWords(text, code),
    ...checkUntranslated(text, sentences),
    ...checkTwin(text, code, twins),
  ]
  return findingsAt(where, faults)
}
