/** Detects a new build, and reloads the page once when needed. */

const RELOAD_GUARD = 10_000
const GUARD_KEY = 'mayfly:reloads'

interface BuildCheckDeps {
  buildId: string
  fetchJson: (path: string) => Promise<unknown>
  clock: () => number
  storage: Pick<Storage, 'getItem' | 'setItem'>
  /** Saves form input for after the reload. */
  keep: () => void
  assign: (href: string) => void
}

export interface BuildCheck {
  /**
   * Whether the next navigation must be a full load: a newer build is available, or a reload has begun and would
   * cancel it.
   */
  readonly stale: boolean
  /** The target of the running navigation; undefined without one. */
  readonly goal: string | undefined
  /** Sets the target when a navigation begins; without an argument the navigation is over. */
  aim(goal?: string): void
  /** Resolves to whether the server responded. */
  poll(): Promise<boolean>
  /** Reloads a page, at most once per path within 10 seconds. Returns whether it does. */
  reload(href: string): boolean
}

export function createBuildCheck({ buildId, fetchJson, clock, storage, keep, assign }: BuildCheckDeps): BuildCheck {
  let stale = false
  let reloading = false
  let goal: string | undefined
  return {
    get goal() {
      return goal
    },
    aim(next) {
      goal = next
    },
    get stale() {
      return stale || reloading
    },
    async poll() {
      const latest = (await fetchJson('/builds/latest.json').catch(() => undefined)) as { id?: unknown } | undefined
      if (typeof latest?.id === 'string' && latest.id !== buildId) stale = true
      return latest !== undefined
    },
    reload(href) {
      const path = new URL(href, 'http://localhost').pathname
      const now = clock()
      const reloads = JSON.parse(storage.getItem(GUARD_KEY) ?? '{}') as Record<string, number>
      const recent = Object.entries(reloads).filter(([, at]) => Math.abs(now - at) < RELOAD_GUARD)
      if (recent.some(([each]) => each === path)) return false
      storage.setItem(GUARD_KEY, JSON.stringify(Object.fromEntries([...recent, [path, now]])))
      keep()
      reloading = true
      assign(href)
      return true
    },
  }
}

/** Reloads the page if a file of it is missing. */
export function reloadForFiles(check: BuildCheck): void {
  // After a deploy the files of the old build are gone. If the server is unreachable, the current page stays.
  // Calling preventDefault would make the import return undefined instead of failing.
  addEventListener('vite:preloadError', () => {
    // The target is read last because the visitor may have followed a link since the preload failed.
    void check.poll().then((answered) => answered && check.reload(check.goal ?? location.href))
  })
}
