import { preloadLinks } from '../navigation/preload-links.ts'
import type { pages } from '../navigation/routes.ts'
import { getBars } from './bars.ts'
import type { BuildCheck } from './build-check.ts'
import { watchBuilds } from './watch-builds.ts'

/** Starts what can wait until the page works. */
export function startLate(all: typeof pages, builds: BuildCheck): void {
  watchBuilds(builds)
  // Answers the service worker, which asks each page whether it shows the inbox (`isInbox` in sw.js).
  navigator.serviceWorker?.addEventListener('message', ({ ports }) => ports[0]?.postMessage(getBars().followed))
  preloadLinks(all)
}
