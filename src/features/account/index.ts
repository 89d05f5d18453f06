/** The account of a subscriber: signing in, sessions, kept addresses, API keys, export and deletion. */
export { type Account, type AccountView, createAccount } from './account.ts'
export { createAccountDeletion, type DeleteAccount } from './account-deletion.ts'
export { type AccountExport, createAccountExport } from './account-export.ts'
export { type ApiKeys, type ApiKeyView, createApiKeys, type KeyHolder } from './api-keys.ts'
export type { KeptAddressView } from './kept-address-view.ts'
export {
  createKeptAddresses,
  type KeptAddresses,
  type KeptAddressesDeps,
  type KeptAddressRequest,
} from './kept-addresses.ts'
export { createLockOut } from './lock-out.ts'
export { createPaidSignIn, type PaidSignIn } from './paid-sign-in.ts'
export { createSignIn, type SignedIn, type SignIn } from './sign-in.ts'
