/**
 * Where the mail in the operator's mailbox comes from: by SMTP to postmaster@ or abuse@, by a form of the site, or by one that a
 * subscriber filled in. Each has a part of the mailbox that nothing else can fill.
 */
export const OPERATOR_SHARES = ['postmaster', 'abuse', 'contact', 'problem', 'premium'] as const
export type OperatorShare = (typeof OPERATOR_SHARES)[number]
