import { browser } from '../browser.ts'
import { mayUseAllSites } from '../state/page-access.ts'
import { changeState, readState } from '../state/state.ts'

const ID = 'marks'
/** The longest time to wait for pages that do not respond, in milliseconds. */
const HIDE_TIMEOUT = 2000

/** Registers the script for all sites while marks are switched on, and only then. */
export async function applyMarks(): Promise<void> {
  const { settings } = await readState()
  const allowed = await mayUseAllSites()
  // The visitor can take the permission back in the settings of the browser.
  if (settings.marks && !allowed) await changeState((state) => void (state.settings.marks = false))
  const wanted = settings.marks && allowed
  const registered = (await browser.scripting.getRegisteredContentScripts({ ids: [ID] })).length > 0
  if (registered && !wanted) await browser.scripting.unregisterContentScripts({ ids: [ID] })
  if (registered || !wanted) return
  await browser.scripting.registerContentScripts([
    { id: ID, matches: ['*://*/*'], js: ['page.js'], allFrames: true, runAt: 'document_idle' },
  ])
}

/**
 * Removes the marks from open pages, of one site or of all, where the extension still has access. Other pages are told
 * when the visitor clicks a mark.
 */
export async function hideMarks(site: string | null = null): Promise<void> {
  const tabs = await browser.tabs.query({ discarded: false })
  const hidden = tabs.flatMap(({ id }) =>
    id === undefined
      ? []
      : browser.scripting.executeScript({
          target: { tabId: id, allFrames: true },
          func: (origin: string | null) =>
            void ((origin ?? self.origin) === self.origin && globalThis.mayfly?.hideMarks()),
          args: [site],
        }),
  )
  await Promise.race([Promise.allSettled(hidden), new Promise((resolve) => setTimeout(resolve, HIDE_TIMEOUT))])
}
