/** The words of what visitors write to the operator. */

export const CONTACT_REASONS = [
  'question',
  'abuse',
  'privacy',
  'premium',
  'api',
  'advertising',
  'press',
  'other',
] as const
export const PROBLEM_REASONS = ['not-arriving', 'lost-address', 'display', 'site-refuses', 'other'] as const

export const SUPPORT_KINDS = ['contact', 'problem'] as const
export type SupportKind = (typeof SUPPORT_KINDS)[number]

/** What the subject of a subscriber's email begins with. Anybody can write it: whether it is true, the header says. */
export const PREMIUM_MARK = '[premium] '

/** RFC 5321 4.5.3.1.3 takes the angle brackets off the 256 octets of a path. */
export const EMAIL_MAX_LENGTH = 254

/** A form as somebody filled it in: nothing of it is checked yet. */
export interface SupportForm {
  kind: SupportKind
  /** Code of the language that the visitor reads. */
  language: string
  name?: string | undefined
  reason?: string | undefined
  email?: string | undefined
  message?: string | undefined
}
