import { MayflyError } from '@mayfly/client'
import { browser } from '../browser.ts'
import { readState } from '../state/state.ts'
import { loadTexts } from '../state/texts.ts'
import { problemText } from '../ui/problem.ts'

/** The id of the notification. A click on it opens the options, where the visitor can connect again. */
export const PROBLEM = 'problem'

const TEXTS = { 'no-field': 'extension.noField', blocked: 'extension.blocked' } as const

/** Tells the visitor why a fill that they asked for in a page failed: the result of `fillPage`, or its error. */
export async function tellProblem(problem: unknown): Promise<void> {
  const key = TEXTS[problem as keyof typeof TEXTS] as (typeof TEXTS)[keyof typeof TEXTS] | undefined
  // Without a response of the service, the client throws a TypeError.
  if (key === undefined && !(problem instanceof MayflyError) && !(problem instanceof TypeError)) return
  const { text } = await loadTexts((await readState()).settings)
  await browser.notifications.create(PROBLEM, {
    type: 'basic',
    iconUrl: browser.runtime.getURL('/icon/128.png'),
    title: text('extension.fill'),
    message: key === undefined ? problemText(problem, text) : text(key),
  })
}
