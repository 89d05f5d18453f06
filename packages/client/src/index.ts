/** Temporary email inboxes of a Mayfly service, for tests and programs. */
export type { Contents, MessageConditions } from './conditions.ts'
export { MayflyError, WaitTimeoutError } from './errors.ts'
export type { ServiceOptions } from './http.ts'
export {
  type CheckOptions,
  createInbox,
  type CreateOptions,
  deleteInboxes,
  Inbox,
  openInbox,
  type WaitOptions,
} from './inbox.ts'
export { checkNames } from './names.ts'
export type { Pattern } from './pattern.ts'
export type * from './checks.ts'
export type * from './types.ts'
