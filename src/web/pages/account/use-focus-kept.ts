import { useEffect, useLayoutEffect, useRef } from 'react'

/** Returns the focus to the button that started an action. Browsers take it from a button that is disabled meanwhile. */
export function useFocusKept(busy: boolean): void {
  const started = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (busy) started.current = document.activeElement
  }, [busy])
  useEffect(() => {
    const { current: button } = started
    if (busy || document.activeElement !== document.body || !(button instanceof HTMLButtonElement)) return
    button.focus({ preventScroll: true })
  }, [busy])
}
