import type { Language } from '#locales/languages.ts'
import { checkArguments } from './arguments.ts'
import { checkCopied } from './english.ts'
import { type Finding, findingsAt } from './finding.ts'
import { checkFit } from './fit.ts'
import { checkTerms, type Glossaries } from './glossary.ts'
import { argumentsOf, parseMessage, textIn, variantsOf } from './icu.ts'
import { checkKeys, type Messages } from './keys.ts'
import { checkNumbers } from './numbers.ts'
import { keywordsOf, type Passage, proseOf } from './passage.ts'
import type { Texts } from './read.ts'
import { checkWeight } from './size.ts'
import { checkSpoken } from './spoken.ts'

type Named = Pick<Language, 'code' | 'locale'>
type Terminology = Pick<Texts, 'messages' | 'glossary'>

/** Compares the messages of a language with those of the source: keys, arguments, lengths, numbers, terms and size. */
export function checkMessages(own: Terminology, model: Terminology, { code, locale }: Named): Finding[] {
  const [messages, source] = [own.messages, model.messages]
  if (Object.keys(messages).length === 0) return []
  const glossaries = { own: own.glossary, english: model.glossary, locale }
  const single = Object.entries(messages).flatMap(([key, text]) => {
    const original = source[key]
    return original === undefined ? [] : findingsAt(key, checkMessage(key, text, original, { code, glossaries }))
  })
  return [...checkKeys(messages, source), ...single, ...findingsAt('messages', checkWeight(messages))]
}

function checkMessage(
  key: string,
  text: string,
  source: string,
  { code, glossaries }: { code: string; glossaries: Glossaries },
): string[] {
  const { locale } = glossaries
  const [elements, model] = [read(text), read(source)]
  if (!elements || !model) return ['is not a valid ICU message']
  const faults = checkArguments(elements, model, locale)
  if (faults.length > 0) return faults
  const [ownText, sourceText] = [textIn(elements), textIn(model)]
  return [
    ...checkSpoken(text, argumentsOf(elements), locale),
    ...checkFit(key, ownText, sourceText),
    ...(key.endsWith('Keywords')
      ? []
      : [...checkNumbers(ownText, sourceText), ...checkTerms(key, ownText, sourceText, glossaries)]),
    ...(text === source && code !== 'en' ? checkCopied(proseOf(ownText), code) : []),
  ]
}

function read(text: string) {
  try {
    return parseMessage(text)
  } catch {
    return undefined
  }
}

/** Returns the texts of all messages and their branches. */
export function passagesOf(messages: Messages): Passage[] {
  return Object.entries(messages).flatMap(([where, text]): Passage[] => {
    if (where.endsWith('Keywords')) return keywordsOf(text).map((word) => ({ where, text: word, keyword: true }))
    return variantsOf(read(text) ?? []).map((variant) => ({ where, text: variant }))
  })
}
