import { useEffect, useState } from 'react'
import { useAttempt } from '../../hooks/use-attempt.ts'

/** A list of the payload that the page changes. `read` asks the server for it. */
export function useList<T>(first: T, read: () => Promise<T>) {
  const { busy, problem, attempt } = useAttempt()
  const [list, setList] = useState(first)
  useEffect(() => setList(first), [first])
  const load = async (): Promise<void> => setList(await read())
  /** Makes a change and reads the list again, even after a failure: the response may have been lost. */
  const change = (work: () => Promise<unknown>): Promise<boolean> => attempt(() => work().finally(load))
  return { list, load, busy, problem, change }
}
