import { browser } from '../browser.ts'
import { readState } from '../state/state.ts'
import { loadTexts } from '../state/texts.ts'

export const FILL = 'fill'

/** The entry in the context menu of text fields, in the language of the settings. */
export async function applyMenu(): Promise<void> {
  const { settings } = await readState()
  const { text } = await loadTexts(settings)
  await navigator.locks.request('menu', async () => {
    await browser.contextMenus.removeAll()
    browser.contextMenus.create({ id: FILL, title: text('extension.fill'), contexts: ['editable'] }, () => {
      // Another start of the background was faster.
      void browser.runtime.lastError
    })
  })
}
