import type { ForwardedMail, ForwardRequest, MailReport } from '../forwarding/forwarding.ts'
import type { SealItem } from './box.ts'
import type { Attachment, Authentication, Envelope, MessageContent, SummaryContent } from './message.ts'

/** How a message is shown in its frame. */
export interface FrameOptions {
  view: 'html' | 'text'
  remote?: { prefix: string; key: Uint8Array; expiresAt: number } | undefined
  reader?: string
}

export interface SummarizeOptions {
  /** Whether somebody waits for it: these come first. */
  waited?: boolean
  whole?: boolean
}

/** Reads raw mail in a process part that can be killed. None of these rejects for what a mail contains. */
export interface MailReader {
  /**
   * Everything for the inbox row but authentication, which stays `pending`: a first look within a small budget of time, which may
   * leave it `partial`; or, with `whole`, all of it.
   */
  summarize(raw: Uint8Array, envelope: Envelope, options?: SummarizeOptions): Promise<SummaryContent>
  /** SPF, DKIM and DMARC by DNS; may take seconds. */
  authenticate(raw: Uint8Array, envelope: Envelope): Promise<Authentication>
  /** `outline`: no more than a page needs that shows the mail in a frame. `reader`: who opens it; turns go round by it. */
  content(raw: Uint8Array, options?: { outline?: boolean; reader?: string }): Promise<MessageContent>
  /**
   * The document for the frame, in UTF-8. `remote`: turns a remote URL into one that the frame may load; without it remote content
   * is left out.
   */
  frame(raw: Uint8Array, options: FrameOptions): Promise<Uint8Array>
  attachment(raw: Uint8Array, index: number, options?: { reader?: string }): Promise<Attachment | undefined>
  /**
   * Looks a mail up as `authenticate` does, and makes the head to forward it with. `raw`: as stored, its Return-Path on top;
   * what is to be sent is the head and the bytes behind that line. There may be no head where DMARC is `fail` or `temperror`.
   * Rejects where the key can't sign, and with `unavailable` where the reader can't work.
   */
  forward(raw: Uint8Array, envelope: Envelope, request: ForwardRequest): Promise<ForwardedMail>
  /** What a machine reports of a mail that was forwarded (RFC 3464, RFC 5965); undefined where it is no report. */
  report(raw: Uint8Array): Promise<MailReport | undefined>
  /** First looks that wait or run; the receiver leaves summaries to the first reading where this is over its limit. */
  readonly backlog: number
  close(): Promise<void>
}

/** Compresses and seals off the main thread. */
export interface Sealer {
  /** A group: its boxes for one recipient share an ephemeral key. */
  seal(items: readonly SealItem[]): Promise<Uint8Array[]>
  close(): Promise<void>
}
