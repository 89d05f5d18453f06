import { MayflyError } from '#core/errors.ts'
import { type Mailbox, mailboxText, type MessageSummary } from '#core/mailbox/message.ts'
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
  /** The recipient as the sender wrote it. */
  to?: string | undefined
  subject?: string | undefined
  /** The text of the message, or the source of its sanitized HTML. */
  body?: string | undefined
  has?: readonly FoundPart[] | undefined
}

export type Condition = keyof MessageConditions

interface MessageFilter {
  /**
   * Returns the conditions that a message does not meet. `bodyContains` searches the opened message. It is called only
   * if there is a condition for the body and all others are met.
   */
  unmet(summary: MessageSummary, bodyContains: (wanted: string) => Promise<boolean>): Promise<Condition[]>
}

const NAMES = ['from', 'to', 'subject'] as const
/**
 * The maximum number of steps of the regular expressions of one search, which take about 80 ms. They run in the main
 * thread, and an inbox may be full of long subjects.
 */
const STEPS_MAX = 500_000
const TOO_MUCH =
  'These regular expressions take too long for so many messages. Use simpler ones, or limit the messages with `after` or `since`.'

/**
 * Creates the filter of one search. Throws `invalid_request` if a condition is not a valid regular expression. `unmet`
 * rejects with it if the expressions take too long for all messages together.
 */
export function createMessageFilter({ from, to, subject, body, has = [] }: MessageConditions): MessageFilter {
  const texts = { from, to, subject }
  const tests = NAMES.flatMap((name) => {
    const wanted = texts[name]
    return wanted === undefined ? [] : [{ name, test: patternOf(name, wanted) }]
  })
  if (body !== undefined) patternOf('body', body)
  let steps = 0
  function matches(test: TextPattern, value: string): boolean {
    steps += test.steps * value.length
    if (steps > STEPS_MAX) throw new MayflyError('invalid_request', TOO_MUCH)
    return test(value)
  }
  return {
    async unmet(summary, bodyContains) {
      const values = {
        from: senderText(summary.from),
        to: summary.to,
        subject: summary.subject,
      }
      const unmet: Condition[] = tests.filter(({ name, test }) => !matches(test, values[name])).map(({ name }) => name)
      if (!has.every((part) => contains(summary, part))) unmet.push('has')
      if (unmet.length === 0 && body !== undefined && !(await bodyContains(body))) unmet.push('body')
      return unmet
    },
  }
}

/** Returns the sender as filters see it. The address has its brackets even without a name, because filters may contain them. */
const senderText = (from: Mailbox): string =>
  from.name === '' && from.address !== '' ? `<${from.address}>` : mailboxText(from)

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
