import { useSyncExternalStore } from 'react'

const never = (): (() => void) => () => {}

/** False on the server and in the browser's first render. Content that differs between the two must wait for it. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
