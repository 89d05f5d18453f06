import { getBars, onBars } from './bars.ts'

/** The part of the URL that the shortcut "Copy address" opens (http/routes/site/manifest.ts). */
const COPY = '?copy'

/** What only the installed app does: the number of unread messages on its icon, and its shortcut "Copy address". */
export function startInstalled(): void {
  let asked = location.search === COPY
  if (asked) history.replaceState(history.state, '', location.pathname)
  const look = (): void => {
    const { messages, followed } = getBars()
    // Before that, buttons do nothing yet, and the messages are unknown.
    if (!followed) return
    // Browsers without badges lack the function, and those that may not show one reject.
    void navigator.setAppBadge?.(messages.filter(({ seen }) => !seen).length).catch(() => {})
    const button = asked ? document.querySelector<HTMLButtonElement>('output ~ button') : null
    if (!button) return
    asked = false
    button.click()
  }
  onBars(look)
  look()
  // A first visitor's address comes later.
  if (asked) new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
}
