import { excerpt } from './finding.ts'
import { PLACEHOLDER } from './passage.ts'

/** The most words of a sentence. */
export const LONGEST = { interface: 18, document: 30 }

/** Words of the house style (CONTRIBUTING.md), and what to write instead. */
const FORBIDDEN: readonly (readonly [words: RegExp, better: string])[] = [
  [
    /\b(?:a|an|each|every|one|this|that) mail\b(?! (?:server|domain|relay|provider|client|app|exchanger)s?\b)|\bmails\b/i,
    'email or message',
  ],
  [/\be-mails?\b/i, 'email'],
  [/\bmail programs?\b/i, 'email app'],
  [/\bsomebody(?: else)?\b/i, 'someone'],
  [/\bat once\b/i, 'immediately, instantly, at the same time'],
  [/\bby (?:itself|themselves)\b/i, 'automatically'],
  [/\b(?:go|goes|going) on \p{L}+ing\b/iu, 'keep'],
  [/\b(?:address|addresses|inbox|inboxes) (?:(?:has|have|will) )?(?:live[sd]?|die[sd]?|end|ends|ended)\b/i, 'expire'],
  [/\bpresent (?:address|inbox)\b|\bat present\b/i, 'current, now'],
  [/\b(?:pay|pays|paid) back\b/i, 'refund'],
  [/\bfree rules\b/i, 'limits of the free plan'],
  [/\bfrequent questions\b/i, 'frequently asked questions'],
]

const BRITISH =
  /\b(?:(?:col|fav|behavi|hon|lab|neighb|harb)our\w*|centre[sd]?|licence[sd]?|defence|offence|cancell(?:ed|ing)|travell\w+|labell\w+|(?:organ|recogn|author|real|summar|minim|custom|optim|apolog|final|categor)is(?:e[sd]?|ing|ation\w*)|analys(?:ed?|ing)|grey|cheques?|programmes?|whilst|fulfil|judgement|catalogues?|dialogue box)\b/i

const FULL = /\b(?:cannot|(?:do|does|did|is|are|was|were|has|have|could|would|should|will) not)\b/i

/** Checks an English text against the house style. `kind` is where it is: texts of the interface are shorter. */
export function checkStyle(text: string, kind: keyof typeof LONGEST): string[] {
  const words = FORBIDDEN.flatMap(([pattern, better]) => found(text, pattern, `is not house style, which is ${better}`))
  return [
    ...words,
    ...found(text, BRITISH, 'is British spelling'),
    ...found(text, /\p{L}'\p{L}/u, 'has a straight apostrophe'),
    ...(kind === 'interface'
      ? [...found(text, /;/, 'joins two sentences'), ...found(text, FULL, 'is not contracted')]
      : []),
    ...longSentences(text, LONGEST[kind]),
  ]
}

function found(text: string, pattern: RegExp, fault: string): string[] {
  const match = pattern.exec(text)
  return match ? [`"${match[0]}" ${fault}: "${excerpt(text, match.index)}"`] : []
}

const WORD = new RegExp(String.raw`[\p{L}\p{N}${PLACEHOLDER}][\p{L}\p{N}${PLACEHOLDER}’'.,-]*`, 'gu')

function longSentences(text: string, longest: number): string[] {
  return text.split(/[.!?…]+["”)]*(?:\s+|$)/u).flatMap((sentence) => {
    const { length } = sentence.match(WORD) ?? []
    return length > longest ? [`has a sentence of ${length} words, more than ${longest}: "${excerpt(sentence)}"`] : []
  })
}
