import { excerpt } from './finding.ts'
import { isName } from './names.ts'
import { sentencesOf } from './passage.ts'
import { profileOf } from './profiles.ts'

const FUNCTION_WORDS = new Set(
  `the and your with is of to that you for it this are not be from or can as on by which when have will only its who what
  where there they their them has was were but about into than then would should could does do`.split(/\s+/),
)

/** English function words that are also words of the language. */
const SHARED: Record<string, string> = {
  de: 'will was as',
  fr: 'on or as but',
  es: 'has can as do',
  it: 'do as has',
  pt: 'do as for',
  nl: 'of is was on be by as will',
  tr: 'on or of not do is can has',
  ro: 'are or as do has',
  pl: 'to by do be on',
  vi: 'to do can as the by than then',
  ha: 'to is be on do are as can',
  sw: 'as is',
}

/** Finds English in a text of any language: two English function words in one sentence are not a coincidence. */
export function checkFunctionWords(text: string, code: string): string[] {
  const shared = new Set((SHARED[code] ?? '').split(' '))
  return sentencesOf(text).flatMap((sentence) => {
    const words = sentence.toLowerCase().match(/[\p{L}\p{M}’'-]+/gu) ?? []
    const found = words.filter((word) => FUNCTION_WORDS.has(word) && !shared.has(word))
    return found.length >= 2 ? [`has English in it (${found.slice(0, 4).join(', ')}): "${excerpt(sentence)}"`] : []
  })
}

/** Finds three or more consecutive Latin words in a text of another script. */
export function checkLatinRuns(text: string): string[] {
  const runs = text.match(/[a-z][\w’'-]*(?: [a-z][\w’'-]*){2,}/gi) ?? []
  return runs.filter((run) => foreignWords(run).length >= 3).map((run) => `has Latin words in it: "${run}"`)
}

/** Finds sentences of four or more words that are identical to the source. */
export function checkUntranslated(text: string, source: ReadonlySet<string>): string[] {
  return sentencesOf(text)
    .filter((sentence) => source.has(sentence) && foreignWords(sentence).length >= 4)
    .map((sentence) => `is left in English: "${excerpt(sentence)}"`)
}

/** Checks a message that is identical to the source. In Latin languages a single word may be. */
export function checkCopied(text: string, code: string): string[] {
  const words = foreignWords(text).length
  const latin = profileOf(code).scripts[0] === 'Latin'
  return words > (latin ? 1 : 0) ? [`is left in English: ${text}`] : []
}

const foreignWords = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}’'-]+/gu) ?? []).filter((word) => /\p{L}{2}/u.test(word) && !isName(word))
