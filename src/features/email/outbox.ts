import { ENVELOPE_FROM, ENVELOPE_TO, type OutboxFiles } from '#core/email/outbox.ts'
import type { MailReader } from '#core/mailbox/mail-reader.ts'

interface OutboxEntry {
  file: string
  /** ISO 8601. */
  at: string
  /** The kind of email, such as `sign-in`; empty if the file name does not contain it. */
  kind: string
  /** The recipient in the envelope; empty if unknown. */
  to: string
  subject: string
}

/** Reads the emails that would have been sent. */
export interface OutboxReader {
  /** Newest first. */
  list(): AsyncIterable<OutboxEntry>
  /** Returns the file unchanged, or undefined if it does not exist. */
  source(file: string): Promise<string | undefined>
  /** Returns envelope, subject and text in readable form, or undefined if the file does not exist. */
  text(file: string): Promise<string | undefined>
}

/** Ids have 22 characters (`core/email/email.ts`) or 26 (`core/mailbox/message-id.ts`). */
const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-(?:([a-z-]+)-(?:[\w-]{22}|[a-z\d]{26})\.eml$)?/
const SHOWN_FIELDS = [ENVELOPE_FROM, ENVELOPE_TO, 'From', 'Reply-To', 'To', 'Date', 'Subject']

export function createOutboxReader({
  files,
  reader,
}: {
  files: OutboxFiles
  reader: Pick<MailReader, 'content'>
}): OutboxReader {
  async function fieldsOf(raw: Uint8Array) {
    const { headers, text } = await reader.content(raw)
    const field = (name: string): string =>
      headers.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value.replaceAll(/\s+/g, ' ') ?? ''
    return { field, text: text ?? '' }
  }

  return {
    async *list() {
      for (const file of await files.list()) {
        const raw = await files.read(file)
        if (!raw) continue
        const { field } = await fieldsOf(raw)
        const [, day = '', hour = '', minute = '', second = '', millisecond = '', kind = ''] = NAME.exec(file) ?? []
        const at = `${day}T${hour}:${minute}:${second}.${millisecond}Z`
        yield { file, at, kind, to: field(ENVELOPE_TO).replace(/^<(.*)>$/, '$1'), subject: field('Subject') }
      }
    },
    async source(file) {
      const raw = await files.read(file)
      return raw && Buffer.from(raw).toString()
    },
    async text(file) {
      const raw = await files.read(file)
      if (!raw) return undefined
      const { field, text } = await fieldsOf(raw)
      const head = SHOWN_FIELDS.flatMap((name) => (field(name) === '' ? [] : [`${name}: ${field(name)}`]))
      return `${head.join('\n')}\n\n${text}`
    },
  }
}
