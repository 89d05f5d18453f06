import { useEffect } from 'react'

/** Calls `work` when the device is connected to a network again. */
export function useOnline(work: () => void): void {
  useEffect(() => {
    addEventListener('online', work)
    return () => removeEventListener('online', work)
  }, [work])
}
