import { useCallback, useEffect, useState } from 'react'

/** The secret of a recovery link (`#secret=…`): null if there is none, undefined until the hash was read. */
export function useRecoveryLink(): { secret: string | null | undefined; dismiss: () => void } {
  const [secret, setSecret] = useState<string | null>()
  useEffect(() => {
    const readHash = (): void => {
      // An incomplete secret opens nothing, but then the visitor is told so.
      const found = /^#secret=([\w-]+)/.exec(location.hash)?.[1]
      // The secret must not stay in the history or be copied with the page's address.
      if (found) history.replaceState(null, '', location.pathname + location.search)
      setSecret((before) => found ?? before ?? null)
    }
    readHash()
    // Pasting a link into the tab of an open page triggers no load.
    addEventListener('hashchange', readHash)
    return () => removeEventListener('hashchange', readHash)
  }, [])
  return { secret, dismiss: useCallback(() => setSecret(null), []) }
}
