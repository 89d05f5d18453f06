import type { BoxPlace } from '#core/mailbox/box.ts'
import { domainOf } from '#core/mailbox/domain.ts'
import type { Attachment, MessageContent, SummaryContent } from '#core/mailbox/message.ts'
import { toUtf8 } from '#mail/bytes.ts'
import { htmlFrame, textFrame } from '#mail/html/frame.ts'
import { remoteUrl } from '#mail/html/remote-url.ts'
import { archiveOf } from '#mail/reader/archive.ts'
import { listAttachments } from '#mail/reader/attachments.ts'
import { contentOf, imageFrameOf } from '#mail/reader/content.ts'
import { fallbackContent, fallbackSummary } from '#mail/reader/fallback.ts'
import { defaultParseLimits } from '#mail/reader/limits.ts'
import { bytesOf, parseMail } from '#mail/reader/parse.ts'
import { readableText, summarize } from '#mail/reader/summarize.ts'
import { unpackBody } from '#mail/sealing/body.ts'
import { open } from './box.ts'
import type { PrivateKeys } from './keys.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The content of a message of a fully private address, ready to be displayed. */
export interface OpenedContent extends Omit<MessageContent, 'html'> {
  /** Complete documents for the sandboxed frame. `html` is null if the message has no HTML. */
  frames: { html: string | null; text: string }
  /** URLs of remote content without duplicates. */
  remote: string[]
}

/** A job of the worker that reads messages. */
export type ReadJob =
  | { kind: 'summarize' }
  /** `proxied`: maps URLs of remote content to proxy URLs. Remote content without an entry is removed. */
  | { kind: 'content'; proxied: ReadonlyMap<string, string> }
  | { kind: 'attachment'; index: number }
  /** The document for the frame with an attached image. */
  | { kind: 'image'; index: number }
  /** All attachments as a ZIP file. */
  | { kind: 'archive' }
  | { kind: 'source' }

export interface ReadSummary {
  summary: SummaryContent
  /**
   * Whether the domain of the author is the same without the charset of the message. A browser may decode a few
   * invalid bytes differently than the server, which may then have checked another author.
   */
  authorIsCertain: boolean
  /** The text of the message; null if it has none, or can't be parsed. */
  text: string | null
}

export interface ReadResults {
  summarize: ReadSummary
  content: OpenedContent
  attachment: Attachment | undefined
  image: string | undefined
  archive: Uint8Array | undefined
  source: Uint8Array
}

export interface ReadRequest {
  job: ReadJob
  keys: PrivateKeys
  /** The place that the sealed body is bound to. */
  place: BoxPlace
  sealed: Bytes
  /** Reads only the headers, for a message that defeats the parser. */
  plain: boolean
}

const displayed = ({ html, ...content }: MessageContent, remote: readonly string[] = []): OpenedContent => ({
  ...content,
  frames: { html: html === null ? null : htmlFrame(html, content), text: textFrame(content.text ?? '') },
  remote: [...remote],
})

const authorDomain = ({ from }: SummaryContent): string => domainOf(from.address).toLowerCase()

/** Opens and reads a message with the same code that reads messages of ordinary addresses on the server. */
export async function runJob({ job, keys, place, sealed, plain }: ReadRequest): Promise<ReadResults[ReadJob['kind']]> {
  const { envelope, raw } = unpackBody(await open(keys, place, sealed))
  if (job.kind === 'source') return raw
  const fallback = (): SummaryContent => fallbackSummary(raw, envelope)
  if (plain) {
    if (job.kind === 'summarize') return { summary: fallback(), authorIsCertain: true, text: null }
    return job.kind === 'content' ? displayed(fallbackContent(raw)) : undefined
  }
  const mail = await parseMail(raw, defaultParseLimits)
  if (job.kind === 'summarize') {
    const summary = summarize(mail, envelope)
    return {
      summary,
      authorIsCertain: authorDomain(summary) === authorDomain(fallback()),
      text: readableText(mail),
    }
  }
  if (job.kind === 'archive') return archiveOf(mail)
  if (job.kind === 'image') {
    const frame = imageFrameOf(mail, job.index)
    return frame && toUtf8(frame)
  }
  if (job.kind === 'attachment') {
    const found = listAttachments(mail)[job.index]
    return found && { ...found.info, content: bytesOf(found.part) }
  }
  const remote = new Set<string>()
  const content = contentOf(mail, (reference) => {
    const url = remoteUrl(reference)
    if (url === undefined) return undefined
    remote.add(url)
    return job.proxied.get(url)
  })
  return displayed(content, [...remote])
}
