import { namesOf } from './names.ts'
import { type Pattern, queryValue } from './pattern.ts'

export interface MessageConditions {
  from?: Pattern
  to?: Pattern
  subject?: Pattern
  /** The text of the message, or the source of its sanitized HTML. */
  body?: Pattern
  has?: Contents | readonly Contents[]
  /** Only messages that arrived at this time or later. */
  since?: Date | string
  /** Only messages that arrived after the one with this id. */
  after?: string
}
export type Contents = 'code' | 'link' | 'attachment'

export const CONDITION_NAMES = namesOf<MessageConditions>({
  from: true,
  to: true,
  subject: true,
  body: true,
  has: true,
  since: true,
  after: true,
})

export const listOf = (has: MessageConditions['has']): readonly Contents[] =>
  typeof has === 'string' ? [has] : (has ?? [])

const valueOf = (pattern: Pattern | undefined): string | undefined => pattern && queryValue(pattern)

/** Returns the conditions as parameters of the API. */
export function queryOf({ from, to, subject, body, has, since, after }: MessageConditions) {
  return {
    from: valueOf(from),
    to: valueOf(to),
    subject: valueOf(subject),
    body: valueOf(body),
    has: listOf(has),
    since: since instanceof Date ? since.toISOString() : since,
    after,
  }
}
