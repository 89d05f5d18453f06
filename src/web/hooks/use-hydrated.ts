import { useSyncExternalStore } from 'react'

const never = (): (() => void) => () => {}

/** False on the server and in the first render of the browser: what differs between them waits for it. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
