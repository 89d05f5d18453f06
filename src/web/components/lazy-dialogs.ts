import { lazyComponent } from './lazy.tsx'

// This file is part of the one that all pages share: a chunk of its own would be an extra request (`vite.config.ts`).
export const ConfirmDialog = lazyComponent(async () => (await import('../parts/dialogs.ts')).ConfirmDialog)
export const AddressDialog = lazyComponent(async () => (await import('../parts/dialogs.ts')).AddressDialog)
