import { lazyComponent } from './lazy.tsx'

/** In the file that all pages share, with `lazy`: one of its own would be an extra request. */
export const ConfirmDialog = lazyComponent(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)
