import type { ForwardedMail, ForwardRequest, MailReport } from '../forwarding/forwarding.ts'
import type { AddressId } from '../ids.ts'
import type { SealItem } from './box.ts'
import type { MessageInspection } from './checks.ts'
import type { Attachment, Authentication, Envelope, MessageContent, SummaryContent } from './message.ts'

/** How to render a message in its frame. */
interface FrameOptions {
  view: 'html' | 'text'
  remote?: { prefix: string; key: Uint8Array; expiresAt: number } | undefined
  addressId?: AddressId
}

interface SummarizeOptions {
  /** Whether a user waits for the result. Such requests take precedence. */
  waited?: boolean
  whole?: boolean
}

export interface CheckedSender extends Authentication {
  /** Nothing could be checked, but a name server responded. */
  answered?: true | undefined
}

/**
 * How a text is searched in a message: as a `pattern` (see `textPattern`) or a plain `text`, in its text and in the source
 * of its sanitized HTML, or as a `word` of `searchWords` in what is visible.
 */
export type WantedText = 'pattern' | 'text' | 'word'

/** Reads raw messages in threads that can be killed. No method rejects because of what a message contains. */
export interface MailReader {
  /**
   * Extracts the summary, with `pending` authentication. By default within a small time budget, so the result may be
   * `partial`; with `whole`, completely.
   */
  summarize(raw: Uint8Array, envelope: Envelope, options?: SummarizeOptions): Promise<SummaryContent>
  /** Checks SPF, DKIM and DMARC with DNS look-ups. May take seconds. */
  authenticate(raw: Uint8Array, envelope: Envelope): Promise<CheckedSender>
  /**
   * Extracts the parts to show. `outline`: only the parts that the page with the frame needs. `addressId`: the address of
   * the message; addresses take turns.
   */
  content(raw: Uint8Array, options?: { outline?: boolean; addressId?: AddressId }): Promise<MessageContent>
  /**
   * Returns the document for the frame, in UTF-8. `remote` rewrites remote URLs so that the frame may load them;
   * without it remote content is removed.
   */
  frame(raw: Uint8Array, options: FrameOptions): Promise<Uint8Array>
  attachment(raw: Uint8Array, index: number, options?: { addressId?: AddressId }): Promise<Attachment | undefined>
  /** Returns the document for the frame with an attached image. Undefined if it is no image that browsers show. */
  image(raw: Uint8Array, index: number, options?: { addressId?: AddressId }): Promise<Uint8Array | undefined>
  /** Returns a ZIP file of all attachments. Undefined if the message cannot be parsed. */
  archive(raw: Uint8Array, options?: { addressId?: AddressId }): Promise<Uint8Array | undefined>
  /** Inspects an email that a program sends. Undefined if it cannot be parsed in time. */
  inspect(raw: Uint8Array, options?: { addressId?: AddressId }): Promise<MessageInspection | undefined>
  /**
   * Returns for each text of `wanted` whether the message contains it. By default they are patterns. A message that can't
   * be searched in time contains none, and one that is too long for a regular expression does not match it.
   */
  contains(
    raw: Uint8Array,
    wanted: readonly string[],
    options?: { addressId?: AddressId; as?: WantedText },
  ): Promise<boolean[]>
  /**
   * Authenticates a message like `authenticate` and creates the head to forward it with. `raw` is the stored message
   * with its Return-Path line first; the forwarded message consists of the head and the bytes after that line. The head
   * may be missing if DMARC is `fail` or `temperror`. Rejects if the key can't sign, and with `unavailable` if the
   * reader can't work.
   */
  forward(raw: Uint8Array, envelope: Envelope, request: ForwardRequest): Promise<ForwardedMail>
  /**
   * Parses a report about a forwarded message (RFC 3464, RFC 5965). Undefined if the message is no report. The networks
   * of clients take turns. Rejects with the reason of `signal` if that aborts, and does not need the bytes any longer.
   */
  report(
    raw: Uint8Array,
    options: { clientAddress: string; signal?: AbortSignal | undefined },
  ): Promise<MailReport | undefined>
  /**
   * The number of quick summaries that wait or run. If it exceeds its limit, the receiver postpones summaries until the
   * inbox is read.
   */
  readonly backlog: number
  close(): Promise<void>
}

/** Compresses and seals outside the main thread. */
export interface Sealer {
  /** Seals a group of items. Its boxes share an ephemeral key. */
  seal(items: readonly SealItem[]): Promise<Uint8Array[]>
  close(): Promise<void>
}
