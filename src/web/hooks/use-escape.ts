import { useEffect } from 'react'
import { usePage } from '../app/page.tsx'
import { OPEN_POPOVER } from './popovers.ts'

/** Navigates to a page on Escape, unless the key closes something. */
export function useEscape(to: string): void {
  const { go } = usePage()
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !document.querySelector(`dialog[open], ${OPEN_POPOVER}`)) go(to)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [go, to])
}
