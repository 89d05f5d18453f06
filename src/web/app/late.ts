import { preloadLinks } from '../navigation/preload-links.ts'
import type { pages } from '../navigation/routes.ts'
import { getBars } from './bars.ts'
import type { BuildCheck } from './build-check.ts'
import { registerWorker } from './service-worker.ts'
import { watchBuilds } from './watch-builds.ts'

/** Starts what can wait until the page works. */
export function startLate(all: typeof pages, builds: BuildCheck): void {
  watchBuilds(builds)
  void registerWorker()
  if (matchMedia('(display-mode: standalone)').matches) void import('./installed.ts')
  // Answers the service worker, which asks each page whose inbox it shows (`inboxOf` in sw.js).
  navigator.serviceWorker?.addEventListener('message', ({ ports }) => ports[0]?.postMessage(getBars().followed))
  preloadLinks(all)
}
