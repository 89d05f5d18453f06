import type { BoxPlace } from '#core/mailbox/box.ts'
import type { Attachment, MessageContent, SummaryContent } from '#core/mailbox/message.ts'
import { htmlFrame, textFrame } from '#mail/html/frame.ts'
import { remoteUrl } from '#mail/html/remote-url.ts'
import { listAttachments } from '#mail/reader/attachments.ts'
import { contentOf, fallbackContent } from '#mail/reader/content.ts'
import { fallbackSummary } from '#mail/reader/fallback.ts'
import { defaultParseLimits } from '#mail/reader/limits.ts'
import { bytesOf, parseMail } from '#mail/reader/parse.ts'
import { summarize } from '#mail/reader/summarize.ts'
import { unpackBody } from '#mail/sealing/body.ts'
import { open } from './box.ts'
import type { PrivateKeys } from './keys.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A mail of a fully private address as it is shown. */
export interface OpenedContent extends Omit<MessageContent, 'html'> {
  /** Whole documents for its frame; null where it has no HTML. */
  frames: { html: string | null; text: string }
  /** URLs of remote content, each once. */
  remote: string[]
}

/** What is asked of the thread that reads mail. */
export type ReadJob =
  | { kind: 'summarize' }
  /** `proxied`: URLs of the proxy for those of remote content; what is not there is left out. */
  | { kind: 'content'; proxied: ReadonlyMap<string, string> }
  | { kind: 'attachment'; index: number }
  | { kind: 'source' }

export interface ReadResults {
  summarize: SummaryContent
  content: OpenedContent
  attachment: Attachment | undefined
  source: Uint8Array
}

export interface ReadRequest {
  job: ReadJob
  keys: PrivateKeys
  /** The sealed body, and where it lies. */
  place: BoxPlace
  sealed: Bytes
  /** For a mail that defeats the parser: only its headers are looked at. */
  plain: boolean
}

const shown = ({ html, ...content }: MessageContent, remote: readonly string[] = []): OpenedContent => ({
  ...content,
  frames: { html: html === null ? null : htmlFrame(html), text: textFrame(content.text ?? '') },
  remote: [...remote],
})

/** Opens and reads a mail, with the code that reads those of ordinary addresses on the server. */
export async function runJob({ job, keys, place, sealed, plain }: ReadRequest): Promise<ReadResults[ReadJob['kind']]> {
  const { envelope, raw } = unpackBody(await open(keys, place, sealed))
  if (job.kind === 'source') return raw
  if (plain) {
    if (job.kind === 'summarize') return fallbackSummary(raw, envelope.recipient)
    return job.kind === 'content' ? shown(fallbackContent(raw)) : undefined
  }
  const mail = await parseMail(raw, defaultParseLimits)
  if (job.kind === 'summarize') return summarize(mail, envelope)
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
  return shown(content, [...remote])
}
