import { browser } from '../browser.ts'
import { mayUseAllSites } from '../state/page-access.ts'
import { changeState, readState } from '../state/state.ts'

const ID = 'marks'

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
