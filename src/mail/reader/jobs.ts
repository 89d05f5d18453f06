import type { Attachment, Authentication, Envelope, MessageContent, SummaryContent } from '#core/message.ts'
import type { RemoteUrlSigner } from '../html/remote-url.ts'
import type { AuthenticateOptions } from './authenticate.ts'
import type { ParseLimits } from './limits.ts'

/** What the main thread asks of a reader thread. */
export type Job =
  | { kind: 'summarize'; raw: Uint8Array; envelope: Envelope }
  | { kind: 'authenticate'; raw: Uint8Array; envelope: Envelope }
  | { kind: 'content'; raw: Uint8Array; remote: RemoteUrlSigner | undefined }
  | { kind: 'attachment'; raw: Uint8Array; index: number }

export interface JobResults {
  summarize: SummaryContent
  authenticate: Authentication
  content: MessageContent
  attachment: Attachment | undefined
}

export interface Request {
  id: number
  job: Job
}

export type Answer = { id: number; result: JobResults[Job['kind']] } | { id: number; error: string }

export interface WorkerOptions {
  limits: ParseLimits
  authentication: AuthenticateOptions
}
