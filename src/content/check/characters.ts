import { excerpt } from './finding.ts'
import { isSimplified, isTraditional, notJapanese } from './han.ts'
import type { Profile } from './profiles.ts'

/**
 * Allowed invisible characters by language: joiners that the script needs, breaks if it has no spaces, and direction
 * marks.
 */
const INVISIBLE: Record<string, string> = {
  'fa ur ar': '\u200C\u200D\u200E\u200F\u2066-\u2069',
  'hi bn ta te gu': '\u200C\u200D',
  'th my kh': '\u200B\u200C\u2060',
}

/** Finds characters that must not occur in the texts of a language: broken, invisible or of another script. */
export function checkCharacters(text: string, code: string, { never }: Profile): string[] {
  const allowed = Object.entries(INVISIBLE).find(([codes]) => codes.split(' ').includes(code))?.[1] ?? ''
  const hidden = new RegExp(`(?![${allowed}\\n])[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}\uFFFD]`, 'u')
  return [
    ...(text === text.normalize('NFC')
      ? []
      : [`is not in Unicode form NFC: "${excerpt(text, firstDifference(text))}"`]),
    ...fault(text, hidden, 'has an invisible or broken character'),
    ...(never ? fault(text, never, 'has letters of another language') : []),
    ...(code === 'my' ? fault(text, ZAWGYI, 'is in Zawgyi, not Unicode') : []),
    ...(code === 'zh' ? han(text, isTraditional, 'traditional') : []),
    ...(code === 'zh-TW' ? han(text, isSimplified, 'simplified') : []),
    ...(code === 'ja' ? han(text, notJapanese, 'not Japanese') : []),
  ]
}

/**
 * Signs of the Zawgyi encoding of Burmese: the vowel E before its consonant, a virama without a consonant, and code
 * points that Zawgyi uses for stacked consonants and Unicode for other languages.
 */
const ZAWGYI = /(?<![\u1000-\u109f])\u1031|\u1039(?![\u1000-\u1021])|[\u1033\u1034\u1060-\u1097]/

function fault(text: string, pattern: RegExp, what: string): string[] {
  const match = pattern.exec(text)
  if (!match) return []
  const points = Array.from(match[0]).map(
    (each) => `U+${(each.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  )
  return [`${what} (${match[0]} ${points.join(' ')}): "${excerpt(text, match.index)}"`]
}

function han(text: string, wrong: (letter: string) => boolean, what: string): string[] {
  const found = [...new Set(text.match(/\p{sc=Han}/gu))].filter(wrong)
  return found.length > 0
    ? [`has characters that are ${what}: ${found.join('')} in "${excerpt(text, text.indexOf(found[0] ?? ''))}"`]
    : []
}

function firstDifference(text: string): number {
  const normal = text.normalize('NFC')
  return Array.from({ length: text.length }, (_, i) => i).find((i) => text[i] !== normal[i]) ?? 0
}
