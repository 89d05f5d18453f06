import { MayflyError } from '#core/errors.ts'
import { type Mailbox, mailboxText, type MessageSummary } from '#core/mailbox/message.ts'
import { hasWord, searchWords } from '#core/text.ts'
import { PatternError, type TextPattern, textPattern } from '#mail/text-pattern.ts'

/** What a filter can require a message to contain. */
type FoundPart = 'code' | 'link' | 'attachment'

/**
 * Conditions for messages. A text matches any part of the value, ignoring case, or is a regular expression between
 * slashes (see `textPattern`).
 */
export interface MessageConditions {
  /** The sender's name and address, as in `Shop <shop@example.org>`. */
  from?: string | undefined
  /** One of the recipients as the sender wrote them. */
  to?: string | undefined
  subject?: string | undefined
  /** The text of the message, or the source of its sanitized HTML. */
  body?: string | undefined
  /** Words in the sender, subject, code, visible text or names of attachments, ignoring case and accents. */
  words?: string | undefined
  has?: readonly FoundPart[] | undefined
}

export type Condition = keyof MessageConditions

/** Searches an opened message. */
export interface TextSearch {
  contains(wanted: string): Promise<boolean>
  /** Whether the visible text has all these words of `searchWords`. */
  hasWords(words: readonly string[]): Promise<boolean>
}

interface MessageFilter {
  /** Returns the conditions that a message does not meet. Its text is searched only if all other conditions are met. */
  unmet(summary: MessageSummary, text: TextSearch): Promise<Condition[]>
  /** Whether the regular expressions have taken so long that no further message should be tested. */
  isSpent(): boolean
}

const NAMES = ['from', 'to', 'subject'] as const
/**
 * The maximum number of steps of the regular expressions of one search, which take about 80 ms. They run in the main
 * thread, and an inbox may be full of long subjects.
 */
const STEPS_MAX = 500_000
/** The characters of a sender, recipient or subject that a regular expression sees. */
const EXPRESSION_SEES = 500
/** The limit for all recipients of a message together: enough for a hundred with short names. */
const EXPRESSION_SEES_OF_ALL = 5000

/** Creates the filter of one search. Throws `invalid_request` if a condition is not a valid regular expression. */
export function createMessageFilter({
  from,
  to,
  subject,
  body,
  words = '',
  has = [],
}: MessageConditions): MessageFilter {
  const texts = { from, to, subject }
  const tests = NAMES.flatMap((name) => {
    const pattern = texts[name]
    return pattern === undefined ? [] : [{ name, test: patternOf(name, pattern) }]
  })
  if (body !== undefined) patternOf('body', body)
  const wanted = searchWords(words)
  let steps = 0
  function matches(test: TextPattern, values: readonly string[]): boolean {
    if (test.steps === 0) return values.some((value) => test(value))
    let left = EXPRESSION_SEES_OF_ALL
    return values.some((value) => {
      const seen = value.slice(0, EXPRESSION_SEES)
      left -= seen.length
      if (left < 0) return false
      steps += test.steps * seen.length
      return test(seen)
    })
  }
  return {
    async unmet(summary, text) {
      const values = {
        from: [senderText(summary.from)],
        to: summary.recipients.length > 1 ? summary.recipients : [summary.to],
        subject: [summary.subject],
      }
      const unmet: Condition[] = tests.filter(({ name, test }) => !matches(test, values[name])).map(({ name }) => name)
      if (!has.every((part) => contains(summary, part))) unmet.push('has')
      const missing = missingWords(summary, wanted)
      if (unmet.length === 0 && missing.length > 0 && !(await text.hasWords(missing))) unmet.push('words')
      if (unmet.length === 0 && body !== undefined && !(await text.contains(body))) unmet.push('body')
      return unmet
    },
    isSpent: () => steps >= STEPS_MAX,
  }
}

/** Returns the sender as filters see it. The address has its brackets even without a name, because filters may contain them. */
const senderText = (from: Mailbox): string =>
  from.name === '' && from.address !== '' ? `<${from.address}>` : mailboxText(from)

/** Returns the words that are missing from the sender, subject, code and names of attachments. */
function missingWords({ from, subject, code, attachments }: MessageSummary, words: readonly string[]): string[] {
  if (words.length === 0) return []
  const shown = hasWord(from.name, from.address, subject, code ?? '', ...attachments.map(({ filename }) => filename))
  return words.filter((word) => !shown(word))
}

const contains = (summary: MessageSummary, part: FoundPart): boolean =>
  part === 'attachment' ? summary.attachments.length > 0 : summary[part] !== null

function patternOf(name: string, wanted: string): TextPattern {
  try {
    return textPattern(wanted)
  } catch (error) {
    if (error instanceof PatternError) throw new MayflyError('invalid_request', `\`${name}\`: ${error.message}`)
    throw error
  }
}
