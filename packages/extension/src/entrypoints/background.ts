import { defineBackground } from 'wxt/utils/define-background'
import { askOnAccountPage } from '../background/connect.ts'
import { applyMarks } from '../background/marks.ts'
import { applyMenu, FILL } from '../background/menu.ts'
import { accept, offerTabOf, showIn } from '../background/offers.ts'
import { PROBLEM, tellProblem } from '../background/problem.ts'
import { answer } from '../background/requests.ts'
import { awaitMessages, extendAddresses, lookOnce, setAlarm } from '../background/watch.ts'
import { browser } from '../browser.ts'
import { checkKey } from '../state/account.ts'
import { fillPage } from '../state/fill-page.ts'
import { forgetTabs } from '../state/fills.ts'
import { guardState, watchState } from '../state/state.ts'

/** Fills a page after a gesture, which gives access to it. */
async function fillTab(tabId: number | undefined, frameId?: number): Promise<void> {
  if (tabId !== undefined) await fillPage(tabId, undefined, frameId).then(tellProblem, tellProblem)
}

/** Browsers start the background for each event, so all listeners are added at once. */
export default defineBackground(() => {
  void guardState()
  const start = (): void => {
    void applyMarks()
    void applyMenu()
    void setAlarm('look')
    void checkKey().catch(() => {})
    void extendAddresses()
    void awaitMessages()
  }
  browser.runtime.onInstalled.addListener(start)
  browser.runtime.onStartup.addListener(() => void forgetTabs().then(start))
  browser.permissions.onRemoved.addListener(() => void applyMarks())
  // Runs after each fill and each change of the settings.
  let settings = ''
  watchState(() => {
    void awaitMessages()
    void browser.storage.local.get('state').then(({ state }) => {
      const now = JSON.stringify((state as { settings?: object } | undefined)?.settings ?? {})
      if (now === settings) return
      settings = now
      void applyMarks()
      void applyMenu()
    })
  })

  browser.runtime.onMessage.addListener((request, sender, respond) => {
    // Pages of the extension act themselves. Without a result the sender would wait forever.
    answer(request, sender).then(respond, () => respond(null))
    return true
  })
  browser.commands.onCommand.addListener((command, tab) => {
    if (command === FILL) void fillTab(tab?.id)
  })
  browser.contextMenus.onClicked.addListener(({ menuItemId, frameId }, tab) => {
    if (menuItemId === FILL) void fillTab(tab?.id, frameId)
  })
  browser.notifications.onClicked.addListener((id) => {
    const tabId = offerTabOf(id)
    if (tabId !== undefined) void accept(tabId)
    if (id === PROBLEM) void browser.runtime.openOptionsPage()
  })
  browser.tabs.onUpdated.addListener((tabId, { status }, { url }) => {
    if (status !== 'complete') return
    // Without access to the page there is nothing to show.
    void showIn(tabId).catch(() => {})
    void askOnAccountPage(tabId, url).catch(() => {})
  })
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === 'await') void awaitMessages()
    else if (name === 'look') {
      void lookOnce()
      // If the service can't be reached, the next alarm checks again.
      void checkKey().catch(() => {})
      void extendAddresses()
    }
  })
})
