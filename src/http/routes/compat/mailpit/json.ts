import { createHash } from 'node:crypto'
import {
  type Attachment,
  type AttachmentInfo,
  type Header,
  HEADERS_MAX_BYTES,
  type Mailbox,
  type MessageContent,
  type MessageSummary,
} from '#core/mailbox/message.ts'
import { headOf } from '#features/compat/index.ts'
import { timestamp } from '../../../json/time.ts'

/** The lookbehind keeps the search linear: it starts at the first space of a run only. */
const FOLD = /(?:(?<![ \t])[ \t]+)?\r?\n[ \t]+/g

const mailbox = ({ name, address }: Mailbox): object => ({ Name: name, Address: address })
const unbracketed = (text: string): string => text.replace(/^<|>$/g, '')

/** What rows and whole messages have in common. No message has tags. */
function commonJson(summary: MessageSummary): object {
  const { messageId, to, cc, bcc, replyTo } = headOf(summary)
  return {
    ID: summary.id,
    MessageID: unbracketed(messageId),
    From: mailbox(summary.from),
    To: to.map(mailbox),
    Cc: cc.map(mailbox),
    Bcc: bcc.map(mailbox),
    ReplyTo: replyTo.map(mailbox),
    Subject: summary.subject,
    Size: summary.size,
    Tags: [],
    // The SMTP user.
    Username: '',
  }
}

export const rowJson = (summary: MessageSummary): object => ({
  ...commonJson(summary),
  Read: summary.seen,
  Created: timestamp(summary.receivedAt),
  Attachments: summary.attachments.length,
  Snippet: summary.preview,
})

const valuesOf = (headers: readonly Header[], name: string): string[] =>
  headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value)

function listUnsubscribe(headers: readonly Header[]): object {
  const [header = '', ...more] = valuesOf(headers, 'list-unsubscribe')
  const links = Array.from(header.matchAll(/<([^<>]+)>/g), ([, link = '']) => link.trim()).filter(Boolean)
  const errors = [
    ...(header !== '' && links.length === 0 ? ['no links'] : []),
    ...(more.length > 0 ? ['more than one header'] : []),
  ]
  return {
    Header: header,
    HeaderPost: valuesOf(headers, 'list-unsubscribe-post')[0] ?? '',
    Links: links,
    Errors: errors.join(', '),
  }
}

/** Images that the HTML shows are part of it, so there are no inline attachments. */
export const messageJson = (
  summary: MessageSummary,
  { text, html, headers, date }: MessageContent,
  attachments: readonly object[],
): object => ({
  ...commonJson(summary),
  ReturnPath: unbracketed(valuesOf(headers, 'return-path')[0] ?? ''),
  Date: timestamp(date ?? summary.receivedAt),
  Text: text ?? '',
  HTML: html ?? '',
  Inline: [],
  Attachments: attachments,
  ListUnsubscribe: listUnsubscribe(headers),
})

const digest = (algorithm: string, content: Uint8Array | undefined): string =>
  content ? createHash(algorithm).update(content).digest('hex') : ''

/** The part id is the index. Without `content`, the checksums are empty. */
export const attachmentJson = (
  { index, filename, contentType, size }: AttachmentInfo,
  content: Attachment['content'] | undefined,
): object => ({
  PartID: String(index),
  FileName: filename,
  ContentType: contentType,
  ContentID: '',
  Size: size,
  Checksums: { MD5: digest('md5', content), SHA1: digest('sha1', content), SHA256: digest('sha256', content) },
})

/** Names as Go writes them, such as `Message-Id`. */
const canonical = (name: string): string =>
  name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase())

/** All values of each header of a message, sorted by name: as they were sent, on one line. */
export function headersJson(raw: Uint8Array): Record<string, string[]> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, HEADERS_MAX_BYTES))
  const [head = ''] = bytes.toString().split(/\r?\n\r?\n/, 1)
  const fields = head
    .replace(FOLD, ' ')
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, name, value = ''] = /^([^\s:]+)[ \t]*:[ \t]*(.*)$/s.exec(line) ?? []
      return name === undefined ? [] : [{ name: canonical(name), value: value.trimEnd() }]
    })
  const sorted = [...Map.groupBy(fields, ({ name }) => name)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, group]) => [name, group.map(({ value }) => value)]))
}
