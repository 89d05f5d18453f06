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
export const PLANS = ['month', 'year', 'crypto'] as const

export const SUPPORT_KINDS = ['contact', 'problem', 'premium'] as const
export type SupportKind = (typeof SUPPORT_KINDS)[number]

/** A form as somebody filled it in: nothing of it is checked yet. */
export interface SupportForm {
  kind: SupportKind
  /** Code of the language that the visitor reads. */
  language: string
  name?: string | undefined
  reason?: string | undefined
  email?: string | undefined
  message?: string | undefined
  plan?: string | undefined
  /** Years that are to be paid in crypto. */
  years?: number | undefined
}
