import { useLayoutEffect } from 'react'
import { setShown } from '../api/api.ts'

/** Tells the server with every call which address the page shows; empty for none. */
export function useShown(address: string): void {
  // Before the effects of the page, which may make calls.
  useLayoutEffect(() => {
    setShown(address)
    return setShown
  }, [address])
}
