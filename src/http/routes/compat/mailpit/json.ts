import { createHash } from 'node:crypto'
import type {
  Attachment,
  AttachmentInfo,
  Header,
  Mailbox,
  MessageContent,
  MessageSummary,
} from '#core/mailbox/message.ts'
import { headOf } from '#features/compat/index.ts'
import { time } from '../../../json.ts'

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
  }
}

export const rowJson = (summary: MessageSummary): object => ({
  ...commonJson(summary),
  Read: summary.seen,
  Created: time(summary.receivedAt),
  Attachments: summary.attachments.length,
  Snippet: summary.preview,
})

const valuesOf = (headers: readonly Header[], name: string): string[] =>
  headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value)

function listUnsubscribe(headers: readonly Header[]): object {
  const [header = '', ...more] = valuesOf(headers, 'list-unsubscribe')
  const links = Array.from(header.matchAll(/<\s*([^>]+?)\s*>/g), ([, link]) => link)
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
  Date: time(date ?? summary.receivedAt),
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

/** All values of each header, sorted by name. */
export function headersJson(headers: readonly Header[]): Record<string, string[]> {
  const groups = Map.groupBy(headers, ({ name }) => canonical(name))
  const sorted = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, group]) => [name, group.map(({ value }) => value)]))
}
