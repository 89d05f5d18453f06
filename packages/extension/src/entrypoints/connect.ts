import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import type { ConnectRequest, ConnectTexts } from '../background/connect.ts'
import { browser } from '../browser.ts'
import { button, openShell } from '../page/shell.ts'

declare global {
  var mayflyConnect: ((texts: ConnectTexts) => void) | undefined
}

const LABEL = 'Browser extension'
/** Milliseconds between looks whether the visitor has signed in. */
const LOOK_EVERY = 2000

interface KeptAddress {
  id: string
  address: string
  label: string | null
  private: boolean
  alive: boolean
}

interface OwnDomain {
  name: string
  state: string
}

/** A call with the session of the site, which the extension never sees. */
async function call<Result>(path: string, body?: object): Promise<Result> {
  const response = await fetch(`/api/v1/account${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return (await response.json()) as Result
}

const account = (): Promise<{ email: string } | undefined> => call<{ email: string }>('').catch(() => undefined)

/** Gets what the extension needs: an API key of its own, and the secrets of the kept addresses. */
async function collect(email: string, needsKey: boolean): Promise<ConnectRequest> {
  const { addresses } = await call<{ addresses: KeptAddress[] }>('/addresses')
  const readable = addresses.filter((each) => each.alive && !each.private)
  const kept = await Promise.all(
    readable.map(async ({ id, address, label }) => {
      const { secret } = await call<{ secret: string }>(`/addresses/${id}/reveal`, {})
      return { address, secret, label: label ?? '' }
    }),
  )
  const { domains } = await call<{ domains: OwnDomain[] }>('/domains')
  const verified = domains.filter(({ state }) => state === 'verified').map(({ name }) => name)
  // Last, so that a failure leaves no key behind that nobody has.
  const token = needsKey ? (await call<{ token: string }>('/keys', { label: LABEL })).token : null
  return { type: 'connect', email, token, kept, domains: verified }
}

/** Asks the visitor on the account page of the service. Nothing happens without a click. */
export default defineUnlistedScript(() => {
  if (globalThis.mayflyConnect) return
  globalThis.mayflyConnect = (texts) => {
    const { root, host } = openShell(texts.direction)
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
        connect.disabled = true
        void collect(found.email, texts.needsKey)
          .then((request) => browser.runtime.sendMessage(request))
          .then((taken) => show(taken === true ? texts.done : texts.failed))
          .catch(() => show(texts.failed, connect))
          .finally(() => (connect.disabled = false))
      })
      connect.append(texts.connect)
      show(`${texts.confirm} ${found.email}`, connect)
    }
    void look()
  }
})
