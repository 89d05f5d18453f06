/** For clients of other services: passwords, tokens, and a mailbox for all local mail. */
export { type AccessTokens, createAccessTokens } from './access-tokens.ts'
export { createPasswordAccounts, type PasswordAccounts } from './accounts.ts'
export { type CatchAll, createCatchAll } from './catch-all.ts'
export { createKeyStretching } from './key-stretching.ts'
export { createPasswordBoxes } from './password-box.ts'
export { type MailQuery, parseMailQuery } from './mail-query.ts'
export { headOf } from './recipients.ts'
export { zonedTime } from './zoned-time.ts'
