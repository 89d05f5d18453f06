import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Inbox } from '@mayfly/client'
import type { TestInfo } from '@playwright/test'

/** At most this many messages of an inbox are attached, the newest ones. */
const MESSAGES_MAX = 10

/**
 * The longest name of an email in the report, in bytes. Playwright makes a file name of it, with what it is and a hash:
 * file systems allow 255 bytes.
 */
const NAME_MAX = 180

/** Attaches the messages of an inbox to the report, as HTML, text and source. Never rejects. */
export async function attachMessages(inbox: Inbox, testInfo: TestInfo): Promise<void> {
  // Reporters print texts in the terminal.
  const attachText = (name: string, body: string): Promise<void> =>
    testInfo.attach(name, { contentType: 'text/plain', body })
  /** A test that deleted its inbox, or lost the service, fails or passes for its own reasons. */
  const orSay = (name: string, what: string, attached: Promise<void>): Promise<void> =>
    attached.catch((error: Error) => attachText(name, `${what} can't be attached: ${error.message}`))

  async function attachMessage(name: string, id: string): Promise<void> {
    const [{ html, text }, raw] = await Promise.all([inbox.message(id), inbox.raw(id)])
    if (text !== null) await attachText(`${name} (text)`, text)
    if (html !== null)
      await attachFile(testInfo, `${name} (HTML)`, { contentType: 'text/html', file: 'email.html', body: html })
    await attachFile(testInfo, `${name} (source)`, { contentType: 'message/rfc822', file: 'email.eml', body: raw })
  }

  async function attachAll(): Promise<void> {
    const { messages } = await inbox.messages()
    if (messages.length === 0) await attachText(`Emails to ${inbox.address}`, `No message arrived at ${inbox.address}.`)
    for (const [i, { id, subject }] of messages.slice(0, MESSAGES_MAX).entries()) {
      const name = cut(`Email ${messages.length - i} to ${inbox.address}: ${subject || '(no subject)'}`)
      await orSay(name, 'The message', attachMessage(name, id))
    }
  }

  await orSay(cut(`Emails to ${inbox.address}`), 'The messages', attachAll())
}

/** Cuts a name off between two characters. */
function cut(name: string): string {
  if (Buffer.byteLength(name) <= NAME_MAX) return name
  const ellipsis = '…'
  const { read } = new TextEncoder().encodeInto(name, new Uint8Array(NAME_MAX - Buffer.byteLength(ellipsis)))
  return name.slice(0, read) + ellipsis
}

/** Attaches a file, which keeps the extension of `file` in the report. */
async function attachFile(
  testInfo: TestInfo,
  name: string,
  { contentType, file, body }: { contentType: string; file: string; body: string | Uint8Array },
): Promise<void> {
  const path = testInfo.outputPath(file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, body)
  await testInfo.attach(name, { contentType, path })
  // Playwright has copied it.
  await rm(path)
}
