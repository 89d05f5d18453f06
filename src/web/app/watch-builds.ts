import { fetchJson } from '../api/api.ts'
import type { BuildCheck } from './build-check.ts'

const MANIFEST_DELAY = 1000
const POLL_INTERVAL = 60 * 60_000
const HIDDEN_LONG = 10 * 60_000

/** Watches for new builds while the page is open. A failed request is only logged. */
export function watchBuilds(check: BuildCheck): void {
  setTimeout(() => {
    const { build } = document.documentElement.dataset
    fetchJson(`/builds/meta/${build}.json`).catch((error: unknown) => console.error('build manifest', error))
  }, MANIFEST_DELAY)
  setInterval(() => void check.poll(), POLL_INTERVAL)
  let hiddenAt = Number.POSITIVE_INFINITY
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) hiddenAt = Date.now()
    else if (Date.now() - hiddenAt >= HIDDEN_LONG) void check.poll()
  })
}
