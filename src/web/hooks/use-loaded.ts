import { useCallback, useEffect, useState } from 'react'
import { useAttempt } from './use-attempt.ts'
import { isPassing, useRetry } from './use-retry.ts'

/**
 * The result of a call, made after mounting and again by `load`; null until then. Without a connection the call is repeated
 * until it succeeds. `again` repeats it at once, with its problem.
 */
export function useLoaded<T>(read: () => Promise<T>) {
  const { busy, problem, attempt } = useAttempt()
  const [loaded, setLoaded] = useState<T | null>(null)
  const load = useCallback(async () => setLoaded(await read()), [read])
  const again = useCallback(() => attempt(load), [attempt, load])
  useEffect(() => void again(), [again])
  // "No connection" is gone as soon as the network is back.
  useRetry(loaded === null && !busy && (problem === null || isPassing(problem)), again)
  /** Makes a change and loads again, even after a failure: the response may have been lost. */
  const change = (work: () => Promise<unknown>): Promise<boolean> => attempt(() => work().finally(load))
  return { loaded, setLoaded, load, again, busy, problem, attempt, change }
}
