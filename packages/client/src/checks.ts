import type { AuthenticationResult, Link } from './types.ts'

/** The result of opening a link. */
export interface LinkCheck {
  result: 'ok' | 'failed' | 'unreachable' | 'timeout' | 'refused'
  /** The last HTTP status. */
  status: number | null
  /** The redirects that were followed. */
  redirects: { status: number; url: string }[]
  /** Why there is no status. */
  reason: string | null
}

export interface CheckedLink extends Link {
  role: 'confirmation' | 'unsubscribe' | null
  check: LinkCheck | null
  /** Why the link was not opened. */
  unchecked: 'not-asked' | 'skipped' | 'too-many' | 'no-time' | null
}

/** A feature of HTML or CSS that some mail clients do not support, by the data of caniemail.com. */
export interface FeatureIssue {
  feature: string
  title: string
  category: 'html' | 'css' | 'image'
  /** How often the message uses it. */
  found: number
  /** The first places. */
  places: { line: number; snippet: string }[]
  /** The names of mail clients. */
  unsupported: string[]
  partial: string[]
  unknown: string[]
  /** The share among the clients whose support is known, from 0 to 1. */
  share: { unsupported: number; partial: number }
}

export interface HtmlCheck {
  elements: number
  features: number
  clients: { name: string; family: string; platform: string }[]
  /** The worst first. */
  issues: FeatureIssue[]
  truncated: boolean
}

/** What the spam filter of the operator says. */
export interface SpamScore {
  score: number
  required: number
  action: string
  isSpam: boolean
  rules: { name: string; score: number; description: string }[]
}

/** Checks of a message for the program that sent it. Sizes are bytes. */
export interface MessageChecks {
  /** What you may want to change, in English. */
  problems: { check: 'links' | 'size' | 'text' | 'list-unsubscribe' | 'authentication' | 'spam'; text: string }[]
  links: { total: number; truncated: boolean; list: CheckedLink[] }
  html: HtmlCheck | null
  size: { message: number; html: number; text: number; clipped: boolean }
  text: { present: boolean; empty: boolean; similarity: number | null }
  listUnsubscribe: {
    present: boolean
    urls: string[]
    https: boolean
    mailto: boolean
    oneClick: boolean
    signed: boolean
    bulkSigns: ('list-unsubscribe' | 'list-id' | 'precedence' | 'feedback-id' | 'unsubscribe-link')[]
    required: boolean
  }
  authentication: {
    spf: { result: AuthenticationResult; domain: string | null }
    dkim: { result: AuthenticationResult; signatures: { domain: string; selector: string }[] }
    dmarc: { result: AuthenticationResult; domain: string | null }
    note: string | null
  }
  spam?: SpamScore | { error: string }
}
