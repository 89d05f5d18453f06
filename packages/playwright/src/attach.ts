import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Inbox, MayflyError } from '@mayfly/client'
import type { TestInfo } from '@playwright/test'

/** At most this many messages of an inbox are attached, the newest ones. */
const MESSAGES_MAX = 10

/** Attaches the messages of an inbox to the report, as HTML, text and source. */
export async function attachMessages(inbox: Inbox, testInfo: TestInfo): Promise<void> {
  // Reporters print texts in the terminal.
  const attachText = (name: string, body: string): Promise<void> =>
    testInfo.attach(name, { contentType: 'text/plain', body })
  try {
    const { messages } = await inbox.messages()
    if (messages.length === 0) await attachText(`Emails to ${inbox.address}`, `No message arrived at ${inbox.address}.`)
    for (const [i, { id, subject }] of messages.slice(0, MESSAGES_MAX).entries()) {
      const [{ html, text }, raw] = await Promise.all([inbox.message(id), inbox.raw(id)])
      const name = `Email ${messages.length - i} to ${inbox.address}: ${subject || '(no subject)'}`
      if (text !== null) await attachText(`${name} (text)`, text)
      if (html !== null)
        await attachFile(testInfo, `${name} (HTML)`, { contentType: 'text/html', file: 'email.html', body: html })
      await attachFile(testInfo, `${name} (source)`, { contentType: 'message/rfc822', file: 'email.eml', body: raw })
    }
  } catch (error) {
    // A test that deleted its inbox, or lost the service, fails or passes for its own reasons.
    if (!(error instanceof MayflyError) && !(error instanceof TypeError)) throw error
    await attachText(`Emails to ${inbox.address}`, `The messages can't be read: ${error.message}`)
  }
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
