/**
 * The words of a language in messages with a code or a link, as alternatives of a regular expression in lower case. A
 * stem matches all words that begin with it. `_` matches any white space or hyphen, or nothing.
 */
export interface LanguageWords {
  /** Code, one-time password, PIN. */
  code: string
  /** Names of a user. What follows is not a code. */
  user: string
  /** Labels that only go on: "Continue", "Open", "Get started". */
  go: string
  /** To verify, confirm, activate. */
  verify: string
  /** Signing in, security, access, identity, one-time. */
  login: string
  /** Password, as in setting a new one. */
  password: string
  /** Accepting an invitation, joining. */
  join?: string
  /** Temporary, initial: words before a password that the sender generated. */
  temporary: string
  /** To enter, use or type something. */
  enter: string
  /** What a notice reports: a new sign-in, a changed password, something unusual. */
  alert: string
  /** Labels that agree: "Yes, it was me", "Confirm", "Approve", "Accept". */
  yes: string
  /**
   * Trade and travel: discount, gift, order, invoice, booking, ticket, parcel. A code in such a sentence is not a
   * one-time code.
   */
  trade: string
  /** Other meanings of a number: postcode, telephone, customer, account, card, reference, version. */
  other: string
  /** "If this was not you": what follows secures an account and does not confirm anything. */
  notMe: string
  /** Links without an action: unsubscribe, preferences, help, terms, privacy, view in the browser. */
  quiet: string
  /** Words around a secret: enter it, do not share it, how long it is valid, ignore it if you did not request it. */
  care: string
  /** Promotions: discount, voucher, gift card, referral, loyalty points, product key. */
  promo: string
  /** Meetings and calls. */
  meeting: string
  /** What a code opens: door, key safe, Wi-Fi, parking. */
  place: string
  /** Orders on their way: parcel, courier, driver, pick-up. */
  pickup: string
  /** Appointments, bookings, tickets, cases. */
  visit: string
  /** What is already done: "has been confirmed", "you're all set". */
  done: string
  /** Newsletters. */
  news: string
  /** Units after a number: minutes, hours, days, points, pieces. */
  unit: string
}

/** Words beside a one-time code or link in a language, as in `LanguageWords`. */
export interface Cautions {
  /** Not to be shared, nobody asks for it. */
  secret: string
  /** "If you did not request this", "ignore this email". */
  unasked: string
  /** To cancel or block a request, end a session, secure an account. A link that does so is not the one to open. */
  undo: string
  /** Minutes after a number. */
  minutes: string
  /** Payments, transfers, cards: what a bank's code is for. */
  payment: string
  /** Replaced or no longer valid: "earlier", "previous", "has expired". */
  old: string
  /** Email address, account, registration, identity: what a link or code confirms. */
  account: string
}
