/** The contact and problem forms with which visitors write to the operator. */

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

/**
 * The subject prefix of messages from subscribers. Any sender can forge it; the header field says whether it is
 * genuine.
 */
export const PREMIUM_MARK = '[premium] '

/** RFC 5321 4.5.3.1.3: a path has at most 256 octets, including the two angle brackets. */
export const EMAIL_MAX_LENGTH = 254

/** A submitted form, not validated. */
export interface SupportForm {
  kind: SupportKind
  /** Language code of the page. */
  language: string
  name?: string | undefined
  reason?: string | undefined
  email?: string | undefined
  message?: string | undefined
}
