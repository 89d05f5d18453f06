import { type Inbox, MayflyError } from '@mayfly/client'
import type { TestInfo } from '@playwright/test'

/** At most this many messages of an inbox are attached, the newest ones. */
const MESSAGES_MAX = 10

/** Attaches the messages of an inbox to the report, as HTML, text and source. */
export async function attachMessages(inbox: Inbox, testInfo: TestInfo): Promise<void> {
  const attach = (name: string, contentType: string, body: string | Uint8Array): Promise<void> =>
    testInfo.attach(name, { contentType, body: Buffer.from(body as Uint8Array) })
  try {
    const { messages } = await inbox.messages()
    if (messages.length === 0)
      await attach(`Emails to ${inbox.address}`, 'text/plain', `No message arrived at ${inbox.address}.`)
    for (const [i, { id, subject }] of messages.slice(0, MESSAGES_MAX).entries()) {
      const [{ html, text }, raw] = await Promise.all([inbox.message(id), inbox.raw(id)])
      const name = `Email ${messages.length - i} to ${inbox.address}: ${subject || '(no subject)'}`
      if (html !== null) await attach(`${name} (HTML)`, 'text/html', html)
      if (text !== null) await attach(`${name} (text)`, 'text/plain', text)
      await attach(`${name} (source)`, 'message/rfc822', raw)
    }
  } catch (error) {
    // A test that deleted its inbox, or lost the service, fails or passes for its own reasons.
    if (!(error instanceof MayflyError) && !(error instanceof TypeError)) throw error
    await attach(`Emails to ${inbox.address}`, 'text/plain', `The messages can't be read: ${error.message}`)
  }
}
