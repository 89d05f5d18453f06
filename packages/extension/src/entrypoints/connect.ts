import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import type { ConnectTexts } from '../background/connect.ts'
import { browser } from '../browser.ts'
import { account, connectExtension } from '../page/account.ts'
import { button, openShell } from '../page/shell.ts'

declare global {
  var mayflyConnect: ((texts: ConnectTexts) => void) | undefined
}

/** Milliseconds between checks whether the visitor has signed in. */
const LOOK_EVERY = 2000

/** Asks the visitor on the account page of the service. Nothing happens without a click. */
export default defineUnlistedScript(() => {
  if (globalThis.mayflyConnect) return
  let shown: HTMLElement | undefined
  let isBusy = false
  globalThis.mayflyConnect = (texts) => {
    // Browsers report that a page is complete for each navigation within it.
    if (isBusy) return
    shown?.remove()
    const { root, host } = openShell(texts.direction)
    shown = host
    const bar = document.createElement('div')
    bar.className = 'row bar'
    bar.setAttribute('role', 'status')
    root.append(bar)
    const close = button('', texts.close, () => host.remove())
    close.append(texts.close)
    const show = (message: string, ...actions: HTMLElement[]): void => {
      const words = document.createElement('span')
      words.append(message)
      bar.replaceChildren(words, ...actions, close)
    }

    async function look(): Promise<void> {
      if (!host.isConnected) return
      const found = await account()
      if (!found) {
        show(texts.signIn)
        setTimeout(() => void look(), LOOK_EVERY)
        return
      }
      const connect = button('chip', texts.connect, () => {
        isBusy = connect.disabled = true
        void connectExtension(found.email, texts.connected, (request) => browser.runtime.sendMessage(request))
          .then((taken) => show(taken ? texts.done : texts.failed))
          .catch(() => show(texts.failed, connect))
          .finally(() => (isBusy = connect.disabled = false))
      })
      connect.append(texts.connect)
      show(`${texts.confirm} ${found.email}`, connect)
    }
    void look()
  }
})
