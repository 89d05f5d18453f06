import ipaddr from 'ipaddr.js'
import { MayflyError } from '#core/errors.ts'
import {
  type AskSpamFilter,
  type AuthenticationCheck,
  CHECKED_LINKS_MAX,
  type CheckedLink,
  type CheckLinks,
  type CheckLinksOptions,
  CLIPPED_FROM_BYTES,
  type FoundLink,
  type MessageInspection,
  type LinksWanted,
  type MessageCheck,
} from '#core/mailbox/checks.ts'
import { domainOf } from '#core/mailbox/domain.ts'
import type { Envelope, MessageSummary } from '#core/mailbox/message.ts'
import { problemsOf } from './check-problems.ts'
import type { OpenAddress } from './claims.ts'
import type { Messages } from './messages.ts'

export interface CheckOptions extends CheckLinksOptions {
  links: LinksWanted
}

/**
 * Checks a message for the developer of the program that sent it. Throws `message_not_found`, `message_damaged` also if
 * it cannot be parsed, and `unavailable` if too many links are being checked.
 */
export type CheckMessage = (open: OpenAddress, id: string, options: CheckOptions) => Promise<MessageCheck>

interface MessageChecksDeps {
  messages: Pick<Messages, 'inspect'>
  checkLinks: CheckLinks
  /** Undefined if no spam filter is set. */
  askSpamFilter: AskSpamFilter | undefined
}

export function createMessageChecks({ messages, checkLinks, askSpamFilter }: MessageChecksDeps): CheckMessage {
  async function checked(found: readonly CheckedLink[], options: CheckOptions): Promise<CheckedLink[]> {
    const wanted = found.filter(({ unchecked }) => unchecked === null).map(({ url }) => url)
    if (wanted.length === 0) return [...found]
    const statuses = new Map(wanted.map((url, i) => [url, i]))
    const results = await checkLinks(wanted, options)
    return found.map((link) => {
      if (link.unchecked !== null) return link
      const check = results[statuses.get(link.url) ?? -1] ?? null
      return { ...link, check, unchecked: check === null ? 'no-time' : null }
    })
  }

  return async (open, id, options) => {
    const { summary, envelope, inspection, spam } = await messages.inspect(open, id, askSpamFilter)
    if (!inspection)
      throw new MayflyError('message_damaged', 'The message cannot be parsed in time, so it cannot be checked')
    const { html, text, listUnsubscribe, linkCount, htmlBytes, textBytes } = inspection
    const list = await checked(planned(withRoles(inspection.links, summary), options.links), options)
    const check = {
      links: { total: linkCount, truncated: linkCount > list.length, list },
      html,
      size: { message: summary.size, html: htmlBytes, text: textBytes, clipped: htmlBytes > CLIPPED_FROM_BYTES },
      text,
      listUnsubscribe: { ...listUnsubscribe, required: listUnsubscribe.bulkSigns.length > 0 },
      authentication: authenticationOf(summary, envelope, inspection),
      spam,
    }
    return { problems: problemsOf(check), ...check }
  }
}

/** Marks the links that may be the confirmation link. */
function withRoles(links: readonly FoundLink[], { link, candidates }: MessageSummary): FoundLink[] {
  const values = [link, ...candidates.filter(({ kind }) => kind === 'link').map(({ value }) => value)]
  const urls = new Set(values.flatMap((value) => URL.parse(value ?? '')?.href ?? []))
  return links.map((each) => (urls.has(each.url) ? { ...each, role: 'confirmation' } : each))
}

/** Decides for each link whether to open it. */
function planned(links: readonly FoundLink[], how: LinksWanted): CheckedLink[] {
  let wanted = 0
  const unchecked = ({ role }: FoundLink): CheckedLink['unchecked'] => {
    if (how === 'list') return 'not-asked'
    if (role !== null && how === 'check') return 'skipped'
    return ++wanted > CHECKED_LINKS_MAX ? 'too-many' : null
  }
  return links.map((link) => ({ ...link, check: null, unchecked: unchecked(link) }))
}

const isPublic = (address: string): boolean => ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'

function authenticationOf(
  { authentication: { spf, dkim, dmarc }, from }: MessageSummary,
  { mailFrom, helo, clientAddress }: Envelope,
  { signatures }: MessageInspection,
): AuthenticationCheck {
  return {
    // A bounce has no sender, so SPF checks the name in EHLO (RFC 7208 2.4).
    spf: { result: spf, domain: (domainOf(mailFrom) || helo).toLowerCase() || null },
    dkim: { result: dkim, signatures },
    dmarc: { result: dmarc, domain: (from.address.includes('@') && domainOf(from.address).toLowerCase()) || null },
    note: isPublic(clientAddress)
      ? null
      : 'The message came from this machine or a private network, whose IP addresses no SPF record contains. SPF, and DMARC without a DKIM signature, say nothing about how it is received elsewhere.',
  }
}
