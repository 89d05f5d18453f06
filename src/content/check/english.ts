import { excerpt } from './finding.ts'
import { isName } from './names.ts'
import { sentencesOf } from './passage.ts'

const FUNCTION_WORDS =
  `the and your with is of to that you for it this are not be from or can as on by which when have will only its
  who what where there they their them has was were but about into than then would should could does do`.split(/\s+/)

/** Function words of English that are also words of the language, or of its names. */
const SHARED: Record<string, string> = {
  de: 'die in was as',
  fr: 'on or as',
  es: 'as',
  it: 'do has',
  pt: 'do as for',
  nl: 'of is was on be by',
  tr: 'on or of not do',
  ro: 'are or as',
  pl: 'to by do be',
  vi: 'to do can as the by',
  ha: 'to is be on do are as',
  sw: 'as is',
  id: 'is',
  ms: 'is',
}

/** Words of English left in a Latin text: two of its function words in one sentence are no accident. */
export function checkFunctionWords(text: string, code: string): string[] {
  const shared = new Set((SHARED[code] ?? '').split(' '))
  return sentencesOf(text).flatMap((sentence) => {
    const words = sentence.toLowerCase().match(/[\p{L}\p{M}’'-]+/gu) ?? []
    const found = words.filter((word) => FUNCTION_WORDS.includes(word) && !shared.has(word))
    return found.length >= 2 ? [`has English in it (${found.slice(0, 4).join(', ')}): "${excerpt(sentence)}"`] : []
  })
}

/** Runs of three or more Latin words in a text of another script. */
export function checkLatinRuns(text: string): string[] {
  const runs = text.match(/[a-z][\w’'-]*(?: [a-z][\w’'-]*){2,}/gi) ?? []
  return runs
    .filter((run) => run.split(' ').filter((word) => !isName(word)).length >= 3)
    .map((run) => `has Latin words in it: "${run}"`)
}

/** Sentences of four or more words that are the source's own. */
export function checkUntranslated(text: string, source: string): string[] {
  const theirs = new Set(sentencesOf(source))
  return sentencesOf(text)
    .filter(
      (sentence) =>
        (sentence.match(/\p{L}{2,}/gu) ?? []).filter((word) => !isName(word)).length >= 4 && theirs.has(sentence),
    )
    .map((sentence) => `is left in English: "${excerpt(sentence)}"`)
}
