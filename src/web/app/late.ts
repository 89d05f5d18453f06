import { preloadLinks } from '../navigation/preload-links.ts'
import type { pages } from '../navigation/routes.ts'
import { getBars } from './bars.ts'

/** Starts what no page needs at first. */
export function startLate(all: typeof pages): void {
  // The service worker asks whether this page shows the inbox, before it shows a notification or opens a page.
  navigator.serviceWorker?.addEventListener('message', ({ ports }) => ports[0]?.postMessage(getBars().followed))
  preloadLinks(all)
}
