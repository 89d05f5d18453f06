/** What is checked about the email that a program sends. Sizes are bytes. */
import type { AuthenticationResult, MessageLink } from './message.ts'

/** A place in the HTML part. Lines count from 1. */
interface HtmlPlace {
  line: number
  /** The beginning of the tag, the rule or the declaration. */
  snippet: string
}

/** A feature of HTML or CSS that a message uses and that some mail clients do not support. */
export interface FeatureIssue {
  /** The name of the feature at caniemail.com. */
  feature: string
  title: string
  category: 'html' | 'css' | 'image'
  /** How often the message uses it. */
  found: number
  /** The first places. */
  places: HtmlPlace[]
  /** The names of the clients that do not support it, that support it partly, and whose support is unknown. */
  unsupported: string[]
  partial: string[]
  unknown: string[]
  /** The shares of both among the clients whose support is known, from 0 to 1. */
  share: { unsupported: number; partial: number }
}

/** A mail client, with the names that caniemail.com has for it. */
export interface MailClient {
  name: string
  family: string
  platform: string
}

export interface HtmlCheck {
  elements: number
  /** The number of features that the check knows. */
  features: number
  /** The mail clients that the data is about. */
  clients: readonly MailClient[]
  /** The feature with the least support comes first. */
  issues: FeatureIssue[]
  /** Whether only the beginning was checked, because the HTML is too long or nested too deep. */
  truncated: boolean
}

export interface TextCheck {
  /** Whether there is a text part, and whether it contains anything. */
  present: boolean
  empty: boolean
  /** The share of the words of the HTML that the text part contains too, from 0 to 1. Null unless both have words. */
  similarity: number | null
}

/** Signs that a message is one of many. */
export const BULK_SIGNS = ['list-unsubscribe', 'list-id', 'precedence', 'feedback-id', 'unsubscribe-link'] as const
export type BulkSign = (typeof BULK_SIGNS)[number]

/** The List-Unsubscribe header (RFC 2369, RFC 8058). */
export interface ListUnsubscribeCheck {
  present: boolean
  urls: string[]
  https: boolean
  mailto: boolean
  /** Whether List-Unsubscribe-Post allows to unsubscribe by one request, and whether a DKIM signature covers both. */
  oneClick: boolean
  signed: boolean
  bulkSigns: BulkSign[]
}

export interface FoundLink extends MessageLink {
  role: LinkRole | null
}

/** The results of the checks that need no network. */
export interface MessageInspection {
  /** The sizes of the decoded HTML and text parts. */
  htmlBytes: number
  textBytes: number
  /** Null if there is no HTML part. */
  html: HtmlCheck | null
  text: TextCheck
  listUnsubscribe: ListUnsubscribeCheck
  links: FoundLink[]
  /** How many different links there are. */
  linkCount: number
  signatures: { domain: string; selector: string }[]
}

/** The maximum number of different links that are listed, and of those that are opened. */
export const LISTED_LINKS_MAX = 200
/** Longer URLs are counted, but not listed. In characters. */
export const LISTED_LINK_MAX_LENGTH = 2048
export const CHECKED_LINKS_MAX = 50

/**
 * The result of opening a link:
 * - `ok`: the last status is from 200 to 299.
 * - `failed`: the last status is another one, or there are too many redirects.
 * - `unreachable`: there was no answer.
 * - `timeout`: there was no answer in time.
 * - `refused`: the link leads to an address that Mayfly never connects to.
 */
export const LINK_RESULTS = ['ok', 'failed', 'unreachable', 'timeout', 'refused'] as const
type LinkResult = (typeof LINK_RESULTS)[number]

export interface LinkStatus {
  result: LinkResult
  /** The last HTTP status. Null if there was none. */
  status: number | null
  /** The redirects that were followed: their status and where they lead. */
  redirects: { status: number; url: string }[]
  /** Why there is no status, in English. */
  reason: string | null
}

export interface CheckLinksOptions {
  /** Whether links to this machine may be opened, because the request comes from it. */
  local: boolean
  signal: AbortSignal
}

/**
 * Opens links, several at a time. Resolves to one entry for each; undefined for links for which there was no time.
 * Throws `unavailable` if too many checks are running.
 */
export type CheckLinks = (
  urls: readonly string[],
  options: CheckLinksOptions,
) => Promise<readonly (LinkStatus | undefined)[]>

/** What a spam filter says about a message. */
export interface SpamScore {
  score: number
  /** The score from which the filter rejects a message. */
  required: number
  /** What the filter would do, such as `no action` or `reject`. */
  action: string
  /** Whether it would mark or reject the message. */
  isSpam: boolean
  rules: { name: string; score: number; description: string }[]
}

/** Asks a spam filter. Never rejects: `error` says in English what happened. */
export type AskSpamFilter = (
  raw: Uint8Array,
  envelope: { mailFrom: string; recipient: string; helo: string; clientAddress: string },
) => Promise<SpamScore | { error: string }>

/** Gmail clips a message whose HTML is larger, with a link to the rest. */
export const CLIPPED_FROM_BYTES = 102 * 1024

export interface AuthenticationCheck {
  spf: { result: AuthenticationResult; domain: string | null }
  dkim: { result: AuthenticationResult; signatures: MessageInspection['signatures'] }
  dmarc: { result: AuthenticationResult; domain: string | null }
  /** Why the results are of limited use, in English. */
  note: string | null
}

/**
 * Which links to open. `list`: none. `check`: those without a role (`LINK_ROLES`). `check-all`: all.
 */
export const LINKS_WANTED = ['list', 'check', 'check-all'] as const
export type LinksWanted = (typeof LINKS_WANTED)[number]

/** Links whose opening has an effect for the reader, such as unsubscribing. */
export const LINK_ROLES = ['confirmation', 'unsubscribe'] as const
type LinkRole = (typeof LINK_ROLES)[number]

/** Why a link was not opened. `skipped`: it has a role. */
export const NOT_OPENED = ['not-asked', 'skipped', 'too-many', 'no-time'] as const

/** A link with the result, or the reason why there is none. */
export interface CheckedLink extends FoundLink {
  check: LinkStatus | null
  unchecked: (typeof NOT_OPENED)[number] | null
}

export const CHECKS = ['links', 'size', 'text', 'list-unsubscribe', 'authentication', 'spam'] as const

export interface CheckProblem {
  check: (typeof CHECKS)[number]
  text: string
}

export interface MessageCheck {
  problems: CheckProblem[]
  links: { total: number; truncated: boolean; list: CheckedLink[] }
  html: HtmlCheck | null
  size: { message: number; html: number; text: number; clipped: boolean }
  text: TextCheck
  listUnsubscribe: ListUnsubscribeCheck & { required: boolean }
  authentication: AuthenticationCheck
  /** Undefined if no spam filter is set. */
  spam: SpamScore | { error: string } | undefined
}
