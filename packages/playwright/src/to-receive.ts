import { checkNames, type Inbox, type MessageConditions, type MessageSummary, WaitTimeoutError } from '@mayfly/client'
import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test'
import { timeoutOf } from './timeout.ts'

export interface ExpectedMessage extends MessageConditions {
  /** `true`: any code. A text is the whole code. */
  code?: true | string | RegExp
  /** `true`: any link. A text is a part of the link. */
  link?: true | string | RegExp
}

const NAMES: Record<keyof ExpectedMessage, true> = {
  from: true,
  to: true,
  subject: true,
  body: true,
  has: true,
  since: true,
  after: true,
  code: true,
  link: true,
}

/** How long after the timeout the pages after the first may take, which are all there, in milliseconds. */
const PAGES_EXTRA = 3000
/** Longest delay of a timer in milliseconds. `AbortSignal.timeout` refuses `Infinity`. */
const LONGEST_TIMER = 2 ** 31 - 1

interface Outcome {
  message?: MessageSummary
  /** What arrived instead. */
  explanation: string
}

/** The matcher `toReceive`. */
export async function toReceive(
  { isNot, utils }: ExpectMatcherState,
  inbox: Inbox,
  expected: ExpectedMessage = {},
  options: { timeout?: number } = {},
): Promise<MatcherReturnType> {
  checkNames('toReceive', expected, Object.keys(NAMES))
  checkNames('toReceive', options, ['timeout'])
  const { timeout = timeoutOf(inbox) } = options
  const hint = utils.matcherHint('toReceive', 'inbox', 'expected', { isNot })
  if (typeof (inbox as Partial<Inbox> | undefined)?.waitForMessage !== 'function')
    throw new TypeError(`${hint}\n\nThe value is not an inbox. Use the fixture inbox, or createInbox().`)
  const { message, explanation } = await receive(inbox, expected, timeout)
  const wanted = `Expected: ${isNot ? 'not ' : ''}${utils.printExpected(expected)}`
  const outcome = message
    ? `Received: ${utils.printReceived(message.subject)} from ${message.from.address}, code ${message.code}, link ${message.link}`
    : explanation
  return {
    name: 'toReceive',
    pass: message !== undefined,
    expected,
    message: () => [hint, '', wanted, outcome].join('\n'),
  }
}

async function receive(inbox: Inbox, expected: ExpectedMessage, timeout: number): Promise<Outcome> {
  // In JavaScript, a condition may be null.
  const given = Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== null)) as ExpectedMessage
  const { code, link, has = [], ...rest } = given
  const contents = new Set([has].flat())
  if (code !== undefined) contents.add('code')
  if (link !== undefined) contents.add('link')
  const conditions = { ...rest, has: [...contents] }
  const deadline = Date.now() + timeout
  const others: string[] = []
  let { after } = conditions
  for (;;) {
    const newer = { ...conditions, ...(after === undefined ? {} : { after }) }
    // The client refuses a timeout that is wrong, but this one may be over.
    const left = timeout >= 0 ? Math.max(0, deadline - Date.now()) : timeout
    let messages: MessageSummary[]
    try {
      const first = await inbox.waitForMessages({ ...newer, timeout: left })
      messages = [...first.messages, ...(await laterPages(inbox, newer, first.next, { deadline, timeout }))]
    } catch (error) {
      // Without a response of the service, nobody knows whether a message arrived.
      if (!(error instanceof WaitTimeoutError) || error.cause !== undefined) throw error
      const { message } = error
      return { explanation: others.length === 0 ? message : `${inbox.address}: ${others.join('\n')}` }
    }
    const found = messages.find((each) => isCode(each.code, code) && isLink(each.link, link))
    if (found) return { message: found, explanation: '' }
    others.push(...messages.map((each) => `"${each.subject}" has the code ${each.code} and the link ${each.link}.`))
    after = messages[0]?.id ?? after
  }
}

/** Returns the messages of the pages from `next` on, newest first. */
async function laterPages(
  inbox: Inbox,
  conditions: MessageConditions,
  next: string | null,
  { deadline, timeout }: { deadline: number; timeout: number },
): Promise<MessageSummary[]> {
  const all: MessageSummary[] = []
  const left = Math.max(0, deadline - Date.now())
  const signal = AbortSignal.timeout(Math.min(Math.ceil(left) + PAGES_EXTRA, LONGEST_TIMER))
  for (let before = next; before !== null;) {
    const page = await inbox.messages({ ...conditions, before, signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
      const cause = new Error('The service did not respond')
      throw new WaitTimeoutError(inbox.address, timeout / 1000, undefined, cause)
    })
    all.push(...page.messages)
    before = page.next
  }
  return all
}

const isCode = (value: string | null, expected: ExpectedMessage['code']): boolean =>
  expected === undefined ||
  (expected instanceof RegExp ? matches(expected, value) : expected === true || value === expected)

const isLink = (value: string | null, expected: ExpectedMessage['link']): boolean =>
  expected === undefined ||
  (expected instanceof RegExp ? matches(expected, value) : expected === true || (value ?? '').includes(expected))

/** Uses a copy, because `test` changes where an expression with the flag `g` or `y` starts the next time. */
const matches = (expected: RegExp, value: string | null): boolean => new RegExp(expected).test(value ?? '')
