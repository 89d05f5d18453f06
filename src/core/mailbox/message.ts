/** The words for a received mail. Times are milliseconds since the epoch, sizes are bytes. */

export interface Mailbox {
  name: string
  address: string
}

/** What SMTP knew of a mail (RFC 5321): it is sealed with the mail, because SPF needs it and the headers may lie. */
export interface Envelope {
  /** Reverse-path of MAIL FROM, empty for bounces. */
  mailFrom: string
  /** The RCPT TO address as the sender wrote it. */
  recipient: string
  /** What the client called itself in EHLO or HELO. */
  helo: string
  clientAddress: string
  tls: boolean
  receivedAt: number
}

/** RFC 8601 results, `pending` until the look-ups are through. */
export type AuthenticationResult =
  | 'pass'
  | 'fail'
  | 'softfail'
  | 'neutral'
  | 'none'
  | 'policy'
  | 'temperror'
  | 'permerror'
  | 'pending'

export interface Authentication {
  spf: AuthenticationResult
  dkim: AuthenticationResult
  dmarc: AuthenticationResult
}

export const authenticationPending: Authentication = { spf: 'pending', dkim: 'pending', dmarc: 'pending' }

export interface AttachmentInfo {
  index: number
  filename: string
  contentType: string
  size: number
}

/** What an inbox row shows, made from the raw mail and kept sealed beside it. It is a cache: it can always be made anew. */
export interface SummaryContent {
  from: Mailbox
  to: string
  subject: string
  preview: string
  code: string | null
  link: string | null
  authentication: Authentication
  attachments: AttachmentInfo[]
  /** True where the parser gave up and the mail can be read as source only, or where its sealed copy is damaged. */
  unreadable: boolean
  /** True while only a first look was taken at a mail that costs more: the rest is made when it is opened. Not told to the owner. */
  partial?: boolean
}

/** Of a mail whose sealed copy does not open: nothing is known of it. */
export const damagedSummary: SummaryContent = {
  from: { name: '', address: '' },
  to: '',
  subject: '',
  preview: '',
  code: null,
  link: null,
  authentication: { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' },
  attachments: [],
  unreadable: true,
}

/** An inbox row for the owner. */
export interface MessageSummary extends SummaryContent {
  id: string
  receivedAt: number
  size: number
  seen: boolean
}

export interface Header {
  name: string
  value: string
}

/** Longer texts and HTML are cut before they are made ready to be shown: what that costs is bounded, and the source is whole. */
export const TEXT_MAX_CHARACTERS = 500_000
export const HTML_MAX_CHARACTERS = 1_000_000

/** How many remote images of one message a browser may fetch through the proxy. */
export const REMOTE_URLS_MAX = 200

/** The parts of a mail that its detail view shows; `html` is sanitised, with inline images as data URLs. */
export interface MessageContent {
  text: string | null
  html: string | null
  headers: Header[]
  /** What the email says of when it was sent (its Date header); null where that is missing or no date. */
  date: number | null
  /** Whether `html` has remote content that was left out. */
  hasRemoteContent: boolean
  /** Whether `text` or `html` is only the beginning of a very long one. */
  truncated: boolean
}

export interface Attachment extends AttachmentInfo {
  content: Uint8Array
}
