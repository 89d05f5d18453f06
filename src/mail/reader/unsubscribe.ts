import type { Unsubscribe } from '#core/mailbox/message.ts'
import { remoteUrl } from '../html/remote-url.ts'
import type { Email } from './parse.ts'

const LIST_HEADERS = ['list-unsubscribe', 'list-unsubscribe-post']
const ONE_CLICK = /^\s*List-Unsubscribe\s*=\s*One-Click\s*$/i

/** Whether one signature covers both headers, as RFC 8058 4 demands. Whether it is valid is checked elsewhere. */
export function isSigned(mail: Email): boolean {
  return mail.headers.some(({ key, value }) => {
    if (key !== 'dkim-signature') return false
    const signed = /(?:^|;)\s*h\s*=([^;]*)/i.exec(value)?.[1]?.toLowerCase().split(':') ?? []
    const names = new Set(signed.map((name) => name.trim()))
    return LIST_HEADERS.every((name) => names.has(name))
  })
}

export const valuesOf = (mail: Email, name: string): string[] =>
  mail.headers.filter(({ key }) => key === name).map(({ value }) => value)

/** The URLs of List-Unsubscribe, without the spaces of folded lines. */
export const listUrlsOf = (mail: Email): string[] =>
  valuesOf(mail, 'list-unsubscribe').flatMap((value) =>
    Array.from(value.matchAll(/<([^<>]*)>/g), ([, url = '']) => url.replace(/\s/g, '')),
  )

/** Whether List-Unsubscribe-Post announces that one request is enough (RFC 8058 3.1). */
export function isOneClick(mail: Email): boolean {
  const posts = valuesOf(mail, 'list-unsubscribe-post')
  return valuesOf(mail, 'list-unsubscribe').length === 1 && posts.length === 1 && ONE_CLICK.test(posts[0] ?? '')
}

/**
 * Returns the web address where the reader leaves the mailing list (RFC 2369), null if there is none. Mail to an
 * address would not help, because this service sends none.
 */
export function unsubscribeOf(mail: Email): Unsubscribe | null {
  const found = listUrlsOf(mail)
    .flatMap((url) => remoteUrl(url) ?? [])
    .toSorted((a, b) => Number(b.startsWith('https')) - Number(a.startsWith('https')))
  const [url] = found
  if (url === undefined) return null
  return { url, host: new URL(url).hostname, oneClick: isOneClick(mail) && url.startsWith('https:') && isSigned(mail) }
}
