import { MayflyError } from '@mayfly/client'
import { browser } from '../browser.ts'
import { readState } from '../state/state.ts'
import { loadTexts } from '../state/texts.ts'
import { problemText } from '../ui/problem.ts'

/** The id of the notification. A click on it opens the options, where the visitor can connect again. */
export const PROBLEM = 'problem'

/** Tells the visitor why the service refused a fill that they asked for in a page. */
export async function tellProblem(error: unknown): Promise<void> {
  if (!(error instanceof MayflyError)) return
  const { text } = await loadTexts((await readState()).settings)
  await browser.notifications.create(PROBLEM, {
    type: 'basic',
    iconUrl: browser.runtime.getURL('/icon/128.png'),
    title: text('extension.fill'),
    message: problemText(error, text),
  })
}
