/*
 * What is loaded on demand in one file (`vite.config.ts`). Each component that is imported by itself would get a file of its
 * own beside it, which costs a request, and bytes on every page, because the shared file names them all.
 */
export { createAddress, currentAddress, openPending } from '../api/new-address.ts'
export { AddressDialog } from '../components/address-dialog.tsx'
export { ColorsDialog } from '../components/colors-dialog.tsx'
export { ConfirmDialog } from '../components/confirm-dialog.tsx'
export { InboxOptions } from '../pages/home/inbox-options.tsx'
export { OpenHere } from '../pages/home/open-here.tsx'
export { RecoveryDialog } from '../pages/home/recovery-dialog.tsx'
