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

/** What the commands send to the tasks, as JSON: regular expressions are texts such as `/^confirm/i`. */
export interface TaskInput {
  address: string
  from?: string
  to?: string
  subject?: string
  body?: string
  has?: Contents | readonly Contents[]
  after?: string
  timeout?: number
}
