import { Parser } from 'htmlparser2'
import { getDomain, parse } from 'tldts'
import { LISTED_LINK_MAX_LENGTH } from '#core/mailbox/checks.ts'
import { LINKS_MAX, type MessageLink } from '#core/mailbox/message.ts'
import { escapeHtml } from '#core/text.ts'
import { urlsInText } from '../url-end.ts'
import { browserHref } from './remote-url.ts'
import { linksIn } from './text.ts'
import { evenSpaces } from './to-text.ts'

/** The longest text of a link that is listed. */
const MAX_TEXT = 200
/** A host in a text, with or without a scheme. Not the domain of an email address. */
const HOST_IN_TEXT = /(?<![@\p{L}\p{N}._-])(https?:\/\/|www\.)?((?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}][\p{L}\p{N}-]{1,62})/iu

const PRIVATE = { allowPrivateDomains: true }

/** The domain that somebody registered, or the host itself if there is none. */
const siteOf = (host: string): string => getDomain(host, PRIVATE) ?? host

/** Whether two hosts belong to the same registered domain. */
const isSameSite = (a: string, b: string): boolean => siteOf(a) === siteOf(b)

/**
 * Returns the host that the text of a link names. Without a scheme or `www`, the text must be nothing but a URL, because
 * `Node.js` and `main.rs` are no hosts.
 */
function hostNamedIn(text: string): string | undefined {
  const found = HOST_IN_TEXT.exec(text)
  if (!found) return undefined
  const [, prefix, name = ''] = found
  if (prefix === undefined && /\s/.test(text.trim())) return undefined
  const url = URL.parse(`https://${prefix === 'www.' ? prefix : ''}${name}`)
  if (!url) return undefined
  const { isIcann, isPrivate } = parse(url.hostname, PRIVATE)
  return isIcann || isPrivate ? url.hostname : undefined
}

function linkOf(reference: string, text: string): MessageLink | undefined {
  const href = browserHref(reference)
  const url = /^https?:/i.test(href) ? URL.parse(href) : null
  if (!url) return undefined
  const named = hostNamedIn(text)
  const other = named !== undefined && !isSameSite(named, url.hostname)
  return {
    url: url.href,
    text: text.slice(0, MAX_TEXT).toWellFormed(),
    host: url.hostname,
    named: other ? named : null,
  }
}

/** The links of HTML, with the index after each. */
function read(html: string): { link: MessageLink; end: number }[] {
  const links: { link: MessageLink; end: number }[] = []
  let href: string | undefined
  let text = ''
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'a') {
        href = attributes['href']
        text = ''
      } else if (name === 'area') {
        const link = linkOf(attributes['href'] ?? '', evenSpaces(attributes['alt'] ?? '').trim())
        if (link) links.push({ link, end: parser.endIndex + 1 })
      } else if (name === 'img') text += ` ${attributes['alt'] ?? ''} `
    },
    ontext(part) {
      if (href !== undefined && text.length <= MAX_TEXT) text += part
    },
    onclosetag(name) {
      if (name !== 'a') return
      const link = href === undefined ? undefined : linkOf(href, text.replace(/\s+/g, ' ').trim())
      if (link) links.push({ link, end: parser.endIndex + 1 })
      href = undefined
    },
  })
  parser.end(html)
  return links
}

/** Lists the web links of a message: those of its sanitized HTML, or else those of its text. */
export function linksOf(html: string | null, text: string | null): MessageLink[] {
  if (html !== null)
    return read(html)
      .slice(0, LINKS_MAX)
      .map(({ link }) => link)
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

/** `all` and `!important`, so that no style of the message hides or imitates the mark. */
const MARK_STYLE = Object.entries({
  all: 'initial',
  display: 'inline-block',
  'max-width': '100%',
  margin: '0 4px',
  padding: '0 6px',
  'border-radius': '6px',
  background: '#fdf2de',
  color: '#6b4000',
  font: '600 12px/1.5 system-ui, sans-serif',
  'overflow-wrap': 'anywhere',
})
  .map(([name, value]) => `${name}:${value}!important`)
  .join(';')

/** Shows the real host after each link whose text names another one. `html` must be sanitized. */
export function markLinks(html: string): string {
  let marked = ''
  let start = 0
  for (const { link, end } of read(html)) {
    if (link.named === null) continue
    marked += `${html.slice(start, end)}<bdi dir="ltr" style="${MARK_STYLE}">${escapeHtml(link.host)}</bdi>`
    start = end
  }
  return marked + html.slice(start)
}
