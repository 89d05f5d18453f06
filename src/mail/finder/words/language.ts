/**
 * What a language says in mails with a code or a link, as alternatives of a regular expression, lower case. Stems stand
 * for all that begins with them. `_` is any white space or hyphen, or none.
 */
export interface LanguageWords {
  /** Code, password for once, PIN. */
  code: string
  /** To verify, confirm, activate. */
  verify: string
  /** Signing in, security, access, identity, once. */
  login: string
  /** Password, as in setting a new one. */
  password: string
  /** Accepting an invitation, joining. */
  join?: string
  /**
   * Trade and travel: discount, gift, order, invoice, booking, ticket, parcel. A code in such a sentence is another
   * kind.
   */
  trade: string
  /** What else a number may be: postcode, telephone, customer, account, card, reference, version. */
  other: string
  /** "If this was not you": what follows secures an account and confirms nothing. */
  notMe: string
  /** Links for everybody: unsubscribe, preferences, help, terms, privacy, view in the browser. */
  quiet: string
  /** Units behind a number: minutes, hours, days, points, pieces. */
  unit: string
}
