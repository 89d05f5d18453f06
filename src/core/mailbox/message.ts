/** The parts of a message. Times are milliseconds since the epoch, sizes are bytes. */

export interface Mailbox {
  name: string
  address: string
}

/** Returns name and address of a mailbox, as far as there are any. */
export const mailboxText = ({ name, address }: Mailbox): string =>
  name === '' || address === '' ? name || address : `${name} <${address}>`

/**
 * The envelope of a message (RFC 5321). It is sealed with the message, because SPF needs it and headers can be forged.
 */
export interface Envelope {
  /** Reverse-path of MAIL FROM, empty for bounces. */
  mailFrom: string
  /** The RCPT TO address as the sender wrote it. */
  recipient: string
  /** All of them, if the transaction named several that belong to the address: those with a `+tag`, or of a catch-all. */
  recipients?: string[] | undefined
  /** The name that the client sent in EHLO or HELO. */
  helo: string
  clientAddress: string
  tls: boolean
  receivedAt: number
}

/** Where an email came from, as the list of deliveries shows it. Stored sealed. */
export interface Origin {
  server: {
    /** The name that the client sent in EHLO or HELO. Null if that is not a name. */
    name: string | null
    /** The network of its IP address: an IPv4 /24 or an IPv6 /48. */
    network: string
  }
  /** The domain of the envelope sender. Null for a bounce. */
  senderDomain: string | null
}

/** RFC 8601 results; `pending` until the look-ups are complete. */
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
/** The results of a message whose checks did not take place: no name server answered, or the time was over. */
export const NOT_CHECKED: Authentication = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' }

export interface AttachmentInfo {
  index: number
  filename: string
  contentType: string
  size: number
}

/** A value in a message that may be its one-time code or its confirmation link. */
export interface Candidate {
  kind: 'code' | 'link'
  value: string
  /** Probability that it is the code or the link, 0 to 1. */
  confidence: number
  /** The line or label that contains it. */
  context: string
}

/** What the headers of a message say (RFC 5322). Unlike the envelope, they may name anybody. */
export interface MessageHead {
  /** With its angle brackets; empty if there is none. */
  messageId: string
  to: Mailbox[]
  cc: Mailbox[]
  bcc: Mailbox[]
  replyTo: Mailbox[]
}

/**
 * The content of an inbox row, extracted from the raw message and stored sealed. It is a cache that can always be
 * rebuilt.
 */
export interface SummaryContent {
  from: Mailbox
  to: string
  /** All recipients at the address, `to` first. Missing if there is no other one. */
  recipients?: string[] | undefined
  subject: string
  preview: string
  /** The one-time code and the confirmation link. Null unless they are certain. */
  code: string | null
  link: string | null
  /** What may be the code or the link, certain or not, the most probable first. */
  candidates: Candidate[]
  authentication: Authentication
  attachments: AttachmentInfo[]
  /** True if the parser failed, so only the source can be shown, or if the sealed message is damaged. */
  unreadable: boolean
  /**
   * True if only a quick summary was made of an expensive message. Opening the message completes it. Not shown to the
   * owner.
   */
  partial?: boolean
  /** Shown in the list of deliveries only. Summaries of earlier versions have none. */
  origin?: Origin
  /** Missing in summaries of earlier versions. Shown to clients of other services only (`http/routes/compat`). */
  head?: MessageHead
}

/** Returns the recipients of a message as its summary has them. */
export const recipientsIn = ({
  recipient,
  recipients,
}: Pick<Envelope, 'recipient' | 'recipients'>): Pick<SummaryContent, 'to' | 'recipients'> => ({
  to: recipient,
  recipients,
})

/** Returns all recipients of a message at its address, as the sender wrote them. */
export const recipientsOf = ({ to, recipients }: Pick<SummaryContent, 'to' | 'recipients'>): string[] =>
  recipients ?? (to === '' ? [] : [to])

/** The summary of a message whose box does not open: its content is unknown. */
export const damagedSummary: SummaryContent = {
  from: { name: '', address: '' },
  to: '',
  subject: '',
  preview: '',
  code: null,
  link: null,
  candidates: [],
  authentication: NOT_CHECKED,
  attachments: [],
  unreadable: true,
}

/** The marks of a new message. Its owner can change each of them. */
export const unmarked = { seen: false }
export type Marks = typeof unmarked
export const MARKS = Object.keys(unmarked) as (keyof Marks)[]

export const marksOf = (marked: Marks): Marks =>
  Object.fromEntries(MARKS.map((mark) => [mark, marked[mark]])) as unknown as Marks

/** An inbox row as its owner sees it. */
export interface MessageSummary extends SummaryContent, Marks {
  id: string
  recipients: string[]
  receivedAt: number
  /** When it is deleted, unless its address expires or is deleted earlier. */
  expiresAt: number
  size: number
}

export interface Header {
  name: string
  value: string
}

/**
 * Longer texts and HTML are truncated before they are prepared for display. This bounds the cost; the source stays
 * complete.
 */
export const TEXT_MAX_CHARACTERS = 500_000
export const HTML_MAX_CHARACTERS = 1_000_000

/** The maximum number of different remote images of one message that a browser loads through the proxy. */
export const REMOTE_URLS_MAX = 200

/** A web link of a message. */
export interface MessageLink {
  url: string
  text: string
  /** The host that the link leads to. */
  host: string
  /** The host that the text names, if the link leads to another domain. */
  named: string | null
}

/** The parser of messages refuses larger header sections. */
export const HEADERS_MAX_BYTES = 2 * 1024 * 1024

/** Headers of one message that its page lists. */
export const HEADERS_SHOWN = 500

/**
 * How long a wait for messages is held, in seconds. Many proxies, such as nginx, give up a request without a response after
 * 60 seconds.
 */
export const HELD_MAX = 55

/** Links of one message that are listed. */
export const LINKS_MAX = 200

/** What a message would report to others about its reader. Counts are of different URLs. */
export interface TrackerReport {
  images: number
  /** How many of the images nobody can see. */
  pixels: number
  /** Links that report who clicked them. */
  links: number
  hosts: {
    host: string
    /** The service behind the host, if it is known. */
    company: string | null
    images: number
    pixels: number
    links: number
  }[]
}

/** The event of a calendar file or an invitation (RFC 5545, RFC 5546). */
export interface CalendarEvent {
  kind: 'event' | 'invitation' | 'answer' | 'cancelled'
  summary: string
  /** RFC 3339 in UTC, without `Z` for a time without zone, and a date alone for whole days. The end is exclusive. */
  start: string
  end: string | null
  recurring: boolean
  location: string
  organizer: Mailbox | null
  /** The index of the attachment with the event, null if it is not offered as one. */
  attachment: number | null
  /** The indexes of other attachments with the same file. Many senders add an invitation twice. */
  copies: number[]
}

/** The way to leave a mailing list (RFC 2369). */
export interface Unsubscribe {
  url: string
  host: string
  /** Whether a single POST is enough (RFC 8058). It also needs a passed DKIM check. */
  oneClick: boolean
}

/** `auto`: the direction of the first letter that has a direction. */
export type Direction = 'ltr' | 'rtl' | 'auto'

/** The parts of a message that its detail view shows. `html` is sanitized and contains inline images as data URLs. */
export interface MessageContent {
  text: string | null
  html: string | null
  /** The HTML as the sender wrote it, which may be hostile. */
  htmlOriginal: string | null
  headers: Header[]
  /** The time in the Date header, in milliseconds since the epoch; null if it is missing or invalid. */
  date: number | null
  /** Whether remote content was removed from `html`. */
  hasRemoteContent: boolean
  /** Whether `text` or `html` was truncated. */
  truncated: boolean
  /** Whether `html` sets colors, so that it needs a white background. */
  colored: boolean
  /** The background color that the author set for the whole of `html`. */
  background: string | null
  /** The direction of all of `html`: the one that its author set, or else that of most letters. */
  dir: Direction
  links: MessageLink[]
  trackers: TrackerReport
  /** The well-known domain that the domain of the sender imitates. */
  lookalike: string | null
  calendar: CalendarEvent | null
  unsubscribe: Unsubscribe | null
}

export const noTrackers: TrackerReport = { images: 0, pixels: 0, links: 0, hosts: [] }

export interface Attachment extends AttachmentInfo {
  content: Uint8Array
}
