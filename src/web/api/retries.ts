import { ApiError, problemOf } from './api.ts'

/** Problems that can be over soon, such as no connection, or a proxy whose server restarts. */
const PASSING: ReadonlySet<string> = new Set([
  'offline',
  'internal',
  'unavailable',
  'store_unavailable',
  'too_many_requests',
])

/** Whether a call that failed may succeed if it is simply repeated. Errors of this page's own code never do. */
const isPassing = (error: unknown): boolean => error instanceof ApiError && PASSING.has(error.problem.code)

/** Milliseconds before the second try, doubled for each further one. */
const PAUSE = 5000
const LONGEST_PAUSE = 30_000

/**
 * Waits before the next try, which comes only while the page is visible. Unless the wait is a `limit` of the server, it ends
 * earlier if the network is back or the visitor returns to the page. It also ends if `signal` aborts. `online` is not fired
 * when the server itself was down.
 */
export const untilNextTry = (milliseconds: number, signal: AbortSignal, limit = false): Promise<void> =>
  new Promise((resolve) => {
    const over = new AbortController()
    const listening = { signal: over.signal }
    let mustWait = limit
    const end = (): void => {
      clearTimeout(timer)
      over.abort()
      resolve()
    }
    const next = (): void => {
      if (!mustWait && !document.hidden) end()
    }
    const timer = setTimeout(() => {
      mustWait = false
      next()
    }, milliseconds)
    addEventListener('online', next, listening)
    document.addEventListener('visibilitychange', next, listening)
    signal.addEventListener('abort', end, listening)
    if (signal.aborted) end()
  })

interface Retries {
  /** After it aborts, there is no further try. */
  signal: AbortSignal
  wait?: typeof untilNextTry
  /** Called when a try failed that will be repeated. */
  onFailure?: (problem: ApiError['problem']) => void
}

/** Repeats `work` as long as its problem can be over soon. A limit says itself how long it lasts. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { signal, wait = untilNextTry, onFailure }: Retries,
): Promise<T> {
  for (let pause = PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await work()
    } catch (error) {
      const problem = problemOf(error)
      if (signal.aborted || !isPassing(error)) throw error
      onFailure?.(problem)
      const { retryAfter } = problem
      await wait(retryAfter === undefined ? pause : retryAfter * 1000, signal, retryAfter !== undefined)
      if (signal.aborted) throw error
    }
  }
}

/**
 * Attempts something until it succeeds or fails for good. `attempt` shows the problem of each try. An effect: returns the
 * function that stops it.
 */
export function keepTrying(
  attempt: (work: () => Promise<unknown>) => Promise<boolean>,
  work: () => Promise<unknown>,
): () => void {
  const stopped = new AbortController()
  const tried = async (): Promise<void> => {
    let failure: unknown
    const remembered = (error: unknown): never => {
      failure = error
      throw error
    }
    if (!(await attempt(() => work().catch(remembered)))) throw failure
  }
  withRetries(tried, { signal: stopped.signal }).catch(() => {})
  return () => stopped.abort()
}
