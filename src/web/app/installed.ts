/*
 * What only the installed app does: it shows the number of unread messages on its icon, and has the shortcut "Copy
 * address". Loaded there alone.
 */
import { getBars, onBars } from './bars.ts'

/** The part of the URL that the shortcut "Copy address" opens (http/routes/site/manifest.ts). */
const COPY = '?copy'

/** Whether the visitor chose the shortcut, and the address is not copied yet. */
let asked = location.search === COPY

function look(): void {
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

if (asked) {
  history.replaceState(history.state, '', location.pathname)
  // A first visitor's address comes later.
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
}
onBars(look)
look()
