import { MayflyError } from '#core/errors.ts'
import type { Mailbox, MessageSummary } from '#core/mailbox/message.ts'
import { type Fold, foldCase, foldOnce } from '#core/text.ts'
import { headOf } from './recipients.ts'
import { LOCAL_ZONE, zonedTime } from './zoned-time.ts'

/** Returns which of these texts the opened message contains. */
type BodyContains = (wanted: readonly string[]) => Promise<readonly boolean[]>

/** A search in the syntax of Mailpit (https://mailpit.axllent.org/docs/usage/search-filters/). */
export interface MailQuery {
  /** `bodyContains` is called at most once, and only if the summary does not decide. */
  matches(message: MessageSummary, bodyContains: BodyContains): Promise<boolean>
}

type Test = (message: MessageSummary, fold: Fold) => boolean

/** A text to find (`wanted` in folded case), or a test of the summary, and whether a match excludes the message. */
type Term = { excludes: boolean } & (
  | { test: Test; text?: undefined }
  | { text: string; wanted: string; test?: undefined }
)

const textOf = (mailboxes: readonly Mailbox[]): string =>
  mailboxes.map(({ name, address }) => `${name} <${address}>`).join('\n')

/** The texts of a message in which `NAME:text` searches. */
const FIELDS: Record<string, (message: MessageSummary) => string> = {
  from: ({ from }) => textOf([from]),
  to: (message) => textOf(headOf(message).to),
  cc: (message) => textOf(headOf(message).cc),
  bcc: (message) => textOf(headOf(message).bcc),
  'reply-to': (message) => textOf(headOf(message).replyTo),
  addressed(message) {
    const { to, cc, bcc, replyTo } = headOf(message)
    return textOf([message.from, ...to, ...cc, ...bcc, ...replyTo])
  },
  subject: ({ subject }) => subject,
  'message-id': (message) => headOf(message).messageId,
}

/** Terms without a value. No message has a tag. */
const FLAGS: Record<string, Test> = {
  'is:read': ({ seen }) => seen,
  'is:unread': ({ seen }) => !seen,
  'is:tagged': () => false,
  'has:attachment': ({ attachments }) => attachments.length > 0,
  'has:attachments': ({ attachments }) => attachments.length > 0,
}

const UNITS: Record<string, number> = { '': 1, k: 1024, kb: 1024, m: 1024 * 1024, mb: 1024 * 1024 }

function sizeOf(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]{0,2})$/.exec(text.toLowerCase()) ?? []
  const factor = UNITS[unit]
  if (number === undefined || factor === undefined)
    throw new MayflyError('invalid_request', `\`${text}\` is not a size such as 100, 20kb or 1.5mb`)
  return Number(number) * factor
}

/** Terms with a value, other than those that search a text. */
const VALUES: Record<string, (value: string, timeZone: string) => Test> = {
  tag: () => () => false,
  larger: (value) => {
    const size = sizeOf(value)
    return (message) => message.size > size
  },
  smaller: (value) => {
    const size = sizeOf(value)
    return (message) => message.size < size
  },
  after: (value, timeZone) => {
    const time = zonedTime(value, timeZone)
    return ({ receivedAt }) => receivedAt >= time
  },
  before: (value, timeZone) => {
    const time = zonedTime(value, timeZone)
    return ({ receivedAt }) => receivedAt <= time
  },
}

/** Returns an entry, but nothing that every object has, such as `constructor`. */
const ownOf = <T>(entries: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined

/** Splits at spaces outside of quotation marks, and removes the marks. */
function wordsOf(query: string): string[] {
  const words = query.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []
  return words.map((word) => word.replaceAll('"', '')).filter((word) => word !== '')
}

function termOf(word: string, timeZone: string): Term | undefined {
  const excludes = word.length > 1 && /^[-!]/.test(word)
  const text = excludes ? word.slice(1) : word
  const flag = ownOf(FLAGS, text.toLowerCase())
  if (flag) return { excludes, test: flag }
  if (/^has:inlines?$/i.test(text))
    throw new MayflyError('invalid_request', '`has:inline` is not supported: inline images are part of the HTML')
  const [, prefix = '', value = ''] = /^([a-z-]+):(.*)$/is.exec(text) ?? []
  const name = prefix.toLowerCase()
  const field = ownOf(FIELDS, name)
  const ofValue = ownOf(VALUES, name)
  // Mailpit ignores words that are only punctuation, such as `*`.
  if (/^[!-/:-@[-`{-~]+$/.test(word)) return undefined
  // A name without a value is ignored.
  if ((field ?? ofValue) && value.trim() === '') return undefined
  if (field) {
    const wanted = foldCase(value)
    return { excludes, test: (message, fold) => fold(field(message)).includes(wanted) }
  }
  return ofValue ? { excludes, test: ofValue(value, timeZone) } : { excludes, text, wanted: foldCase(text) }
}

/**
 * Parses a search. `timeZone` is for `before:` and `after:`. Throws `invalid_request` for sizes, dates and time zones
 * that are not valid.
 */
export function parseMailQuery(query: string, timeZone = LOCAL_ZONE): MailQuery {
  const terms = wordsOf(query).flatMap((word) => termOf(word, timeZone) ?? [])
  const tests = terms.filter((term) => term.test !== undefined)
  const given = terms.filter((term) => term.text !== undefined)
  const texts = [...new Map(given.map((term) => [`${term.excludes} ${term.wanted}`, term])).values()]

  return {
    async matches(message, bodyContains) {
      const fold = foldOnce()
      if (!tests.every(({ test, excludes }) => test(message, fold) !== excludes)) return false
      const shown = fold(
        [FIELDS.addressed?.(message), message.subject, ...message.attachments.map(({ filename }) => filename)].join(
          '\n',
        ),
      )
      const isShown = ({ wanted }: { wanted: string }): boolean => shown.includes(wanted)
      if (texts.some((term) => term.excludes && isShown(term))) return false
      const others = texts.filter((term) => !isShown(term))
      if (others.length === 0) return true
      const found = await bodyContains(others.map(({ text }) => text))
      return others.every(({ excludes }, i) => found[i] !== excludes)
    },
  }
}
