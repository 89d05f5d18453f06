import type { Contents, Pattern } from '@mayfly/client'

/** An inbox as tests know it. */
export interface CypressInbox {
  address: string
}

export interface Conditions {
  from?: Pattern
  to?: Pattern
  subject?: Pattern
  /** The text of the message. */
  body?: Pattern
  has?: Contents | readonly Contents[]
  /** Only messages that arrived after the one with this id. */
  after?: string
  /** Milliseconds. Default: 30,000. */
  timeout?: number
}

/** A `Pattern` that can be sent as JSON. */
export type SentPattern = Exclude<Pattern, RegExp> | { source: string; flags: string }

/** What the commands send to the tasks, as JSON. */
export interface TaskInput {
  address: string
  from?: SentPattern
  to?: SentPattern
  subject?: SentPattern
  body?: SentPattern
  has?: Contents | readonly Contents[]
  after?: string
  timeout?: number
}
