import { useEffect } from 'react'
import { usePage } from '../app/page.tsx'
import { isPressed } from './is-pressed.ts'
import { OPEN_POPOVER } from './popovers.ts'

/** Navigates to a page on Escape, unless the key closes something. */
export function useEscape(to: string): void {
  const { go } = usePage()
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isPressed('Escape', event) && !document.querySelector(`dialog[open], ${OPEN_POPOVER}`)) go(to)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [go, to])
}
