import type { Language } from '#locales/languages.ts'
import { checkCharacters } from './characters.ts'
import { checkDocuments, passagesOf as documentPassages } from './document.ts'
import { checkFunctionWords, checkLatinRuns, checkUntranslated } from './english.ts'
import type { Finding } from './finding.ts'
import { checkMessages, passagesOf as messagePassages } from './messages.ts'
import { checkDigits } from './numbers.ts'
import type { Passage } from './passage.ts'
import { type Profile, profileOf } from './profiles.ts'
import { checkPunctuation } from './punctuation.ts'
import type { Texts } from './read.ts'
import { checkLetters, checkNeeds, checkScript } from './script.ts'
import { findTwins } from './twins.ts'

/** The language that all others are written after. */
export const SOURCE = 'en'

/** Fewest letters of a language that can be asked for all of its special ones. */
const WHOLE = 20_000

export const passagesOf = (texts: Texts): Passage[] => [...messagePassages(texts.messages), ...documentPassages(texts)]

/** All that is wrong with the texts of a language. */
export function checkLanguage({ code, locale }: Language, all: ReadonlyMap<string, Texts>, slugs: string[]): Finding[] {
  const [texts, source] = [all.get(code), all.get(SOURCE)]
  if (!texts || !source) throw new Error(`There are no texts in ${code} or ${SOURCE}`)
  const profile = profileOf(code)
  const passages = passagesOf(texts)
  const others = new Map([...all].filter(([each]) => each !== code).map(([each, its]) => [each, passagesOf(its)]))
  const whole = passages.map(({ text }) => text).join('\n')
  const where = `all of ${code}`
  const findings = [
    ...texts.faults,
    ...checkMessages(texts.messages, source.messages, locale),
    ...checkDocuments(texts, source, slugs, profile),
    ...passages.flatMap((passage) =>
      checkPassage(passage, code, profile).map((what) => ({ where: passage.where, what })),
    ),
    ...checkScript(whole, profile).map((what) => ({ where, what })),
    ...(whole.length > WHOLE ? checkNeeds(whole, profile).map((what) => ({ where, what })) : []),
    ...findTwins(passages, others).map((twin) => ({ where: twin.where, what: twin.text })),
    ...(code === SOURCE ? [] : untranslated(texts, source)),
  ]
  const seen = new Set<string>()
  return findings.filter((finding) => {
    const line = `${finding.where}: ${finding.what}`
    return !seen.has(line) && seen.add(line)
  })
}

function checkPassage({ text, keyword }: Passage, code: string, profile: Profile): string[] {
  if (keyword) return [...checkCharacters(text, code, profile), ...checkPunctuation(text, code, profile)]
  const latin = profile.scripts[0] === 'Latin'
  return [
    ...checkCharacters(text, code, profile),
    ...checkPunctuation(text, code, profile),
    ...checkDigits(text, profile.zero),
    ...(code === SOURCE ? [] : checkLetters(text, profile)),
    ...(code === SOURCE ? [] : checkFunctionWords(text, code)),
    ...(latin ? [] : checkLatinRuns(text)),
  ]
}

function untranslated(texts: Texts, source: Texts): Finding[] {
  const original = passagesOf(source)
    .map(({ text }) => text)
    .join('\n')
  return passagesOf(texts).flatMap(({ where, text }) =>
    checkUntranslated(text, original).map((what) => ({ where, what })),
  )
}
