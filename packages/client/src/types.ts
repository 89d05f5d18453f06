/** A value that may be the code or the link of a message. */
export interface Candidate {
  kind: 'code' | 'link'
  value: string
  /** The probability that it is the right one, from 0 to 1. */
  confidence: number
  /** The line or label where it was found. */
  context: string
}

/** A result of RFC 8601. `pending` until the DNS look-ups are done. */
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

export interface AttachmentInfo {
  index: number
  filename: string
  contentType: string
  /** Bytes. */
  size: number
}

/** A message in the list of an inbox. */
export interface MessageSummary {
  /** 26 characters that sort by time of arrival. */
  id: string
  from: { name: string; address: string }
  /** The recipient as the sender wrote it, `+anything` included. */
  to: string
  /** All recipients at this address that the sender named for this message, `to` first. */
  recipients: string[]
  subject: string
  /** RFC 3339. */
  receivedAt: string
  /** When the message is deleted, unless its address expires or is deleted earlier. */
  expiresAt: string
  /** Bytes of the raw message. */
  size: number
  seen: boolean
  /** The first visible text, at most 140 characters. */
  preview: string
  /** The one-time code, or null if there is none that is certain. */
  code: string | null
  /** The confirmation link, or null if there is none that is certain. */
  link: string | null
  candidates: Candidate[]
  authentication: { spf: AuthenticationResult; dkim: AuthenticationResult; dmarc: AuthenticationResult }
  attachments: AttachmentInfo[]
  /** Whether the message can be read as source only. */
  unreadable: boolean
}

/** A web link of a message. */
export interface Link {
  url: string
  text: string
  /** The host that the link leads to. */
  host: string
  /** The host that the text names, if the link leads to another domain. */
  named: string | null
}

export interface TrackerCounts {
  /** Remote images, and those of them that are too small to be seen. */
  images: number
  pixels: number
  /** Links that count clicks. */
  links: number
}

/** What opening the message would tell others about its reader. */
export interface Trackers extends TrackerCounts {
  hosts: TrackerHost[]
}

export interface TrackerHost extends TrackerCounts {
  host: string
  /** The service behind the host. */
  company: string | null
}

/** The event in an attached calendar file. Times as in RFC 3339; the end is exclusive. */
export interface CalendarEvent {
  kind: 'event' | 'invitation' | 'answer' | 'cancelled'
  summary: string
  start: string
  end: string | null
  recurring: boolean
  location: string
  organizer: { name: string; address: string } | null
  /** The index of the attachment with the event. */
  attachment: number | null
  /** The `index` of each other attachment with the same file. */
  copies: number[]
}

export interface Message extends MessageSummary {
  /** The `Date` header, RFC 3339. */
  date: string | null
  text: string | null
  /** Sanitized HTML without remote content. */
  html: string | null
  /** The HTML as the sender wrote it, which may be hostile. */
  htmlOriginal: string | null
  headers: { name: string; value: string }[]
  hasRemoteContent: boolean
  links: Link[]
  trackers: Trackers
  /** The well-known domain that the domain of the sender may imitate. */
  lookalike: string | null
  calendar: CalendarEvent | null
  /** How to leave the mailing list. */
  unsubscribe: { url: string; host: string; oneClick: boolean } | null
  /** Whether `text` or `html` is only the beginning. */
  truncated: boolean
}

/** Why a wait ended without a matching message. */
export interface WaitExplanation {
  /** The explanation in English. */
  text: string
  unmatched: {
    id: string
    from: { name: string; address: string }
    to: string
    subject: string
    receivedAt: string
    /** The conditions that the message does not meet. */
    unmet: ('from' | 'to' | 'subject' | 'body' | 'words' | 'has')[]
  }[]
  /** Attempts to deliver that left no message, newest first. */
  refused: RefusedDelivery[]
  expiresAt: string
}

/** The result of an attempt to deliver. */
export type DeliveryResult =
  | 'received'
  | 'deleted'
  | 'too-large'
  | 'full'
  | 'deferred'
  | 'refused'
  | 'interrupted'
  | 'unsent'

export interface RefusedDelivery {
  at: string
  /** How many identical attempts there were. */
  count: number
  result: DeliveryResult
  /** The SMTP reply. */
  reply: string | null
  server: { name: string | null; network: string } | null
  senderDomain: string | null
  size: number | null
}

export interface MessageList {
  messages: MessageSummary[]
  /** Pass as `before` for the next page. Null on the last page. */
  next: string | null
  explanation?: WaitExplanation
}

export interface AddressState {
  address: string
  expiresAt: string
  lifetime: 'day' | 'ten-minutes' | 'subscription' | 'operator'
  createdAt: string
  storage: { usedBytes: number; limitBytes: number }
}

/** RFC 9457. */
export interface Problem {
  type: string
  title: string
  status: number
  detail?: string
  code: string
}

/** What happens in an inbox. `deleted` has the id of a message. */
export type InboxEvent =
  | { type: 'message'; message: MessageSummary }
  | { type: 'deleted'; id: string }
  | { type: 'address'; address: AddressState }

/**
 * What the mail server does on purpose. `rcpt`: with RCPT TO; `data`: with the message, if the address is its only
 * recipient. `first`: only for this many attempts; by default for all of them. `limit`: 421 above this rate.
 */
export type Fault = { at: 'rcpt' | 'data'; first?: number } & (
  | { action: 'reject'; code: number; enhancedCode?: string; text?: string }
  | { action: 'delay'; seconds: number }
  | { action: 'close' }
  | { action: 'limit'; perMinute: number }
)
