import type { Unsubscribe } from '#core/mailbox/message.ts'
import { remoteUrl } from '../html/remote-url.ts'
import type { Email } from './parse.ts'

const LIST_HEADERS = ['list-unsubscribe', 'list-unsubscribe-post']
const ONE_CLICK = /^\s*List-Unsubscribe\s*=\s*One-Click\s*$/i

/** Whether one signature covers both headers, as RFC 8058 4 demands. Whether it is valid is checked elsewhere. */
function isSigned(mail: Email): boolean {
  return mail.headers.some(({ key, value }) => {
    if (key !== 'dkim-signature') return false
    const signed = /(?:^|;)\s*h\s*=([^;]*)/i.exec(value)?.[1]?.toLowerCase().split(':') ?? []
    const names = new Set(signed.map((name) => name.trim()))
    return LIST_HEADERS.every((name) => names.has(name))
  })
}

/**
 * Returns the web address where the reader leaves the mailing list (RFC 2369), null if there is none. Mail to an
 * address would not help, because this service sends none.
 */
export function unsubscribeOf(mail: Email): Unsubscribe | null {
  const valueOf = (name: string): string[] => mail.headers.filter(({ key }) => key === name).map(({ value }) => value)
  const list = valueOf('list-unsubscribe')
  const urls = list.flatMap((value) =>
    Array.from(value.matchAll(/<\s*([^<>]*?)\s*>/g), ([, url = '']) => url.replace(/\s/g, '')),
  )
  const found = urls
    .flatMap((url) => remoteUrl(url) ?? [])
    .toSorted((a, b) => Number(b.startsWith('https')) - Number(a.startsWith('https')))
  const [url] = found
  if (url === undefined) return null
  const posts = valueOf('list-unsubscribe-post')
  const single = list.length === 1 && posts.length === 1 && ONE_CLICK.test(posts[0] ?? '')
  return { url, host: new URL(url).hostname, oneClick: single && url.startsWith('https:') && isSigned(mail) }
}
