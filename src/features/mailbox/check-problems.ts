import type { CheckProblem, MessageCheck } from '#core/mailbox/checks.ts'

/** The maximum number of links that one problem names. */
const NAMED_MAX = 3
/** A text part that was made from the HTML contains at least this share of its words. */
const SIMILAR_FROM = 0.3

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`

/** Returns in English what the sender of a message may want to change. */
export function problemsOf(check: Omit<MessageCheck, 'problems'>): CheckProblem[] {
  const { authentication, html, links, listUnsubscribe: list, size, spam, text } = check
  const problems: CheckProblem[] = []
  const add = (isProblem: boolean, name: CheckProblem['check'], says: string): void => {
    if (isProblem) problems.push({ check: name, text: says })
  }

  const broken = links.list.filter((link) => link.check !== null && link.check.result !== 'ok')
  const named = broken
    .slice(0, NAMED_MAX)
    .map(({ url, check: status }) => `${url} (${status?.status ?? status?.reason})`)
    .join(', ')
  const more = broken.length > NAMED_MAX ? ` and ${broken.length - NAMED_MAX} more` : ''
  add(broken.length > 0, 'links', `Links that do not work: ${named}${more}.`)
  const disguised = links.list.filter(({ named: other }) => other !== null)
  add(
    disguised.length > 0,
    'links',
    `The text of a link names another host than the one that it leads to: ${disguised[0]?.named}, but ${disguised[0]?.host}.`,
  )

  add(size.clipped, 'size', `Gmail shows only the first 102 KB of the HTML, which has ${kilobytes(size.html)}.`)

  const hasHtml = html !== null
  add(hasHtml && !text.present, 'text', 'There is no text part beside the HTML.')
  add(hasHtml && text.present && text.empty, 'text', 'The text part is empty.')
  add(!hasHtml && text.empty, 'text', 'The message has no text.')
  const isOther = text.similarity !== null && text.similarity < SIMILAR_FROM
  add(isOther, 'text', 'The text part does not match the HTML.')

  const unsubscribe = 'list-unsubscribe'
  add(list.required && !list.present, unsubscribe, 'The message seems to be bulk mail but has no List-Unsubscribe.')
  add(list.present && !list.https, unsubscribe, 'List-Unsubscribe has no https URL.')
  add(list.https && !list.oneClick, unsubscribe, 'There is no List-Unsubscribe-Post: List-Unsubscribe=One-Click.')
  add(list.oneClick && !list.signed, unsubscribe, 'No DKIM signature covers both List-Unsubscribe headers.')

  const { spf, dkim, dmarc, note } = authentication
  for (const [name, { result }] of Object.entries({ SPF: spf, DKIM: dkim, DMARC: dmarc })) {
    const isLocal = note !== null && name !== 'DKIM'
    const isBad = result === 'fail' || result === 'softfail' || result === 'permerror'
    // For SPF, `neutral` is what the domain says. For DKIM, it is a signature that could not be checked.
    const isUnread = result === 'neutral' && name === 'DKIM'
    add((isBad || isUnread) && !isLocal, 'authentication', `${name} has the result ${result}.`)
  }

  if (spam && 'error' in spam) add(true, 'spam', spam.error)
  else if (spam) add(spam.isSpam, 'spam', `The spam score is ${spam.score} of ${spam.required}: ${spam.action}.`)
  return problems
}
