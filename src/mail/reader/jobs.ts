import type { ForwardedMail, ForwardRequest, MailReport } from '#core/forwarding/forwarding.ts'
import type { MessageInspection } from '#core/mailbox/checks.ts'
import type { WantedText } from '#core/mailbox/mail-reader.ts'
import type { Attachment, Authentication, Envelope, MessageContent, SummaryContent } from '#core/mailbox/message.ts'
import type { RemoteUrlSigner } from '../html/signed-url.ts'

/** A job of the main thread for a reader thread. */
export type Job =
  | { kind: 'look'; raw: Uint8Array; envelope: Envelope }
  | { kind: 'summarize'; raw: Uint8Array; envelope: Envelope }
  | { kind: 'authenticate'; raw: Uint8Array; envelope: Envelope }
  | { kind: 'forward'; raw: Uint8Array; envelope: Envelope; request: ForwardRequest }
  | { kind: 'report'; raw: Uint8Array }
  | { kind: 'content'; raw: Uint8Array; outline: boolean }
  | { kind: 'frame'; raw: Uint8Array; view: 'html' | 'text'; remote: RemoteUrlSigner | undefined }
  | { kind: 'attachment'; raw: Uint8Array; index: number }
  | { kind: 'contains'; raw: Uint8Array; wanted: readonly string[]; as: WantedText }
  | { kind: 'image'; raw: Uint8Array; index: number }
  | { kind: 'archive'; raw: Uint8Array }
  | { kind: 'inspect'; raw: Uint8Array }

export interface JobResults {
  look: SummaryContent
  summarize: SummaryContent
  authenticate: Authentication
  forward: ForwardedMail
  report: MailReport | undefined
  content: MessageContent
  frame: Uint8Array
  attachment: Attachment | undefined
  contains: boolean[]
  image: Uint8Array | undefined
  archive: Uint8Array | undefined
  inspect: MessageInspection
}

export type Result = JobResults[Job['kind']]

export interface Request {
  id: number
  job: Job
}

/** `ready`: the thread has loaded its code. From then on the time of a job is its own. */
export type Answer = { ready: true } | { id: number; result: Result } | { id: number; error: string }
