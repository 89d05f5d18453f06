import { Parser } from 'htmlparser2'
import { getDomain, parse } from 'tldts'
import { LISTED_LINK_MAX_LENGTH } from '#core/mailbox/checks.ts'
import { LINKS_MAX, type MessageLink } from '#core/mailbox/message.ts'
import { escapeHtml } from '#core/text.ts'
import { urlsInText } from '../url-end.ts'
import { collectLinkText, type LinkText, looksOf } from './link-text.ts'
import { browserHref } from './remote-url.ts'
import { linksIn } from './text.ts'
import { evenSpaces } from './to-text.ts'

/** The longest text of a link that is listed. */
const MAX_TEXT = 200
/** A host in a text, with or without a scheme. Not the domain of an email address. */
const HOST_IN_TEXT =
  /(?<![@\p{L}\p{N}._-])(https?:\/\/|www\.)?((?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}][\p{L}\p{N}-]{1,62})/giu

const PRIVATE = { allowPrivateDomains: true }

/** The domain that somebody registered, or the host itself if there is none. */
const siteOf = (host: string): string => getDomain(host, PRIVATE) ?? host

/** Whether two hosts belong to the same registered domain. */
const isSameSite = (a: string, b: string): boolean => siteOf(a) === siteOf(b)

/**
 * Yields the hosts that the text of a link names. Without a scheme or `www`, the text must be nothing but a URL, because
 * `Node.js` and `main.rs` are no hosts.
 */
function* hostsNamedIn(text: string): Generator<string> {
  const isOneWord = !/\S\s+\S/.test(text)
  for (const [, prefix, name = ''] of text.matchAll(HOST_IN_TEXT)) {
    if (prefix === undefined && !isOneWord) continue
    const url = URL.parse(`https://${prefix?.toLowerCase() === 'www.' ? prefix : ''}${name}`)
    if (!url) continue
    const { isIcann, isPrivate } = parse(url.hostname, PRIVATE)
    if (isIcann || isPrivate) yield url.hostname
  }
}

/** The first host of another site that one of the looks of a text names. */
function otherHostIn(looks: readonly string[], host: string): string | null {
  for (const text of looks) for (const named of hostsNamedIn(text)) if (!isSameSite(named, host)) return named
  return null
}

function linkOf(reference: string, text: string, looks = (): string[] => looksOf(text)): MessageLink | undefined {
  const href = browserHref(reference)
  const url = /^https?:/i.test(href) ? URL.parse(href) : null
  if (!url) return undefined
  return {
    url: url.href,
    text: text.slice(0, MAX_TEXT).toWellFormed(),
    host: url.hostname,
    named: otherHostIn(looks(), url.hostname),
  }
}

/** The links of HTML, with the index after each. */
function read(html: string): { link: MessageLink; end: number }[] {
  const links: { link: MessageLink; end: number }[] = []
  let href: string | undefined
  let text: LinkText | undefined
  const parser = new Parser({
    onopentag(name, attributes, isImplied) {
      if (name === 'a') {
        href = attributes['href']
        text = href === undefined ? undefined : collectLinkText()
      } else if (name === 'area') {
        const link = linkOf(attributes['href'] ?? '', evenSpaces(attributes['alt'] ?? '').trim())
        if (link) links.push({ link, end: parser.endIndex + 1 })
      } else text?.handler.onopentag(name, attributes, isImplied)
    },
    ontext(part) {
      text?.handler.ontext(part)
    },
    onclosetag(name, isImplied) {
      if (name !== 'a') return text?.handler.onclosetag(name, isImplied)
      const link = text && linkOf(href ?? '', evenSpaces(text.shown()).trim(), text.looks)
      if (link) links.push({ link, end: parser.endIndex + 1 })
      text = undefined
    },
  })
  parser.end(html)
  return links
}

/**
 * Lists the web links of a message: those of its sanitized HTML, or else those of its text. If there are too many, those
 * whose text names another host are kept.
 */
export function linksOf(html: string | null, text: string | null): MessageLink[] {
  if (html !== null) {
    const links = read(html).map(({ link }) => link)
    const first = new Set([...links.filter(({ named }) => named !== null), ...links].slice(0, LINKS_MAX))
    return links.filter((link) => first.has(link))
  }
  return [...linksIn(text ?? '')].slice(0, LINKS_MAX).flatMap(({ url }) => linkOf(url, url) ?? [])
}

/**
 * Lists the different web links of HTML as it was sent and of a text: at most `max`, none that is too long. Counts all of
 * them.
 */
export function distinctLinks(
  html: string | null,
  text: string | null,
  max: number,
): { links: MessageLink[]; total: number } {
  const byUrl = new Map<string, MessageLink>()
  const all = [
    ...read(html ?? '').map(({ link }) => link),
    ...Array.from(urlsInText(text ?? ''), ({ url }) => linkOf(url, url)),
  ]
  for (const link of all) {
    if (!link) continue
    const known = byUrl.get(link.url)
    // An image before the text often leads to the same place.
    if (!known || (known.text === '' && link.text !== '')) byUrl.set(link.url, link)
  }
  const links = [...byUrl.values()].filter(({ url }) => url.length <= LISTED_LINK_MAX_LENGTH).slice(0, max)
  return { links, total: byUrl.size }
}

/**
 * `!important` in an attribute is above all style sheets. Not in `all`: the direction. Inline, because styles of the first
 * line and letter apply to blocks. Boxes around a link may still cut the mark off, so the page lists these links too.
 */
const MARK_STYLE = Object.entries({
  all: 'initial',
  direction: 'ltr',
  'unicode-bidi': 'isolate',
  position: 'relative',
  'z-index': '2147483647',
  margin: '0 4px',
  padding: '0 6px',
  'border-radius': '6px',
  'box-decoration-break': 'clone',
  background: '#fdf2de',
  color: '#6b4000',
  font: '600 12px/1.5 system-ui, sans-serif',
  'overflow-wrap': 'anywhere',
})
  .map(([name, value]) => `${name}:${value}!important`)
  .join(';')

/** A layer is above later style sheets where both are `!important`. So nothing is drawn over the mark. */
export const MARK_SHEET = '@layer { bdi::before, bdi::after { content: none !important } }'

/** Shows the real host after each link whose text names another one, on a new line if it does not fit. `html` must be sanitized. */
export function markLinks(html: string): string {
  let marked = ''
  let start = 0
  for (const { link, end } of read(html)) {
    if (link.named === null) continue
    marked += `${html.slice(start, end)}<wbr><bdi dir="ltr" style="${MARK_STYLE}">${escapeHtml(link.host)}</bdi>`
    start = end
  }
  return marked + html.slice(start)
}
