import { lazyComponent } from './lazy.tsx'

// In the file that all pages share, with `lazyComponent`: one of their own would be an extra request.
export const ConfirmDialog = lazyComponent(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)
export const AddressDialog = lazyComponent(async () => (await import('./address-dialog.tsx')).AddressDialog)
