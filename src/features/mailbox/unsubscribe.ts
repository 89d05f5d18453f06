import { MayflyError } from '#core/errors.ts'
import type { OpenAddress } from './claims.ts'
import type { Messages } from './messages.ts'

/** Sends a POST request to a public host, without following redirects. Resolves to the status. */
type PostToHost = (url: string, headers: Record<string, string>, body: string) => Promise<number>

/** Unsubscribes the reader of a message from its mailing list. */
export type UnsubscribeFrom = (open: OpenAddress, id: string) => Promise<void>

const HEADERS = {
  'content-type': 'application/x-www-form-urlencoded',
  'user-agent': 'Mozilla/5.0 (compatible; one-click unsubscribe)',
}
const BODY = 'List-Unsubscribe=One-Click'

/**
 * One-click unsubscribing (RFC 8058): a POST without cookies or referrer from this server, so that the list does not
 * learn the reader's IP address. Throws `unsubscribe_unavailable` unless the message allows it and its signature is
 * valid, and `unsubscribe_failed` if the host does not accept the request.
 */
export function createUnsubscribe({ messages, post }: { messages: Messages; post: PostToHost }): UnsubscribeFrom {
  return async (open, id) => {
    const { summary, content } = await messages.read(open, id, { outline: true })
    const { unsubscribe } = content
    if (!unsubscribe?.oneClick || summary.authentication.dkim !== 'pass')
      throw new MayflyError('unsubscribe_unavailable')
    const status = await post(unsubscribe.url, HEADERS, BODY).catch(() => 0)
    if (status < 200 || status > 299) throw new MayflyError('unsubscribe_failed')
  }
}
