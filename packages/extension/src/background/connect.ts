import { browser } from '../browser.ts'
import { accountOf, dropAccount, revokeKey } from '../state/account.ts'
import { patternOf } from '../state/page-access.ts'
import { changeState, type Held, isSame, readState, type Settings } from '../state/state.ts'
import { loadTexts } from '../state/texts.ts'

/** How long the visitor has to sign in and confirm, in milliseconds. */
const PENDING_FOR = 30 * 60_000
const KEY = 'connecting'
const SCRIPT = '/connect.js'
/** The path of the account in any language. */
const ACCOUNT = /^\/(?:[\w-]+\/)?account\/?$/

/** What the script on the account page sends after the visitor's click. */
export interface ConnectRequest {
  type: 'connect'
  email: string
  /** Null if the extension already has a key of this account. */
  token: string | null
  kept: { address: string; secret: string; label: string | null }[]
  domains: string[]
}

export interface ConnectTexts {
  confirm: string
  connect: string
  signIn: string
  done: string
  failed: string
  close: string
  direction: string
  /** The email of the account whose key the extension has. Null if it has none. */
  connected: string | null
}

/** Asks for access to the site, then opens the account there. Call it in the handler of a click. */
export async function startConnecting(settings: Settings): Promise<void> {
  if (!(await browser.permissions.request({ origins: [patternOf(settings.service)] }))) return
  const { language } = await loadTexts(settings)
  await browser.storage.session.set({ [KEY]: Date.now() })
  const prefix = language.code === 'zh' ? '' : `/${language.code}`
  await browser.tabs.create({ url: `${settings.service}${prefix}/account` })
}

async function isConnecting(): Promise<boolean> {
  const stored = await browser.storage.session.get(KEY)
  return Date.now() - ((stored[KEY] as number | undefined) ?? 0) < PENDING_FOR
}

/** Shows the question on the account page, after the visitor has asked for the connection. */
export async function askOnAccountPage(tabId: number, url: string | undefined): Promise<void> {
  if (url === undefined || !(await isConnecting())) return
  const state = await readState()
  const { settings } = state
  const page = new URL(url)
  if (page.origin !== new URL(settings.service).origin || !ACCOUNT.test(page.pathname)) return
  const { text, language } = await loadTexts(settings)
  const texts: ConnectTexts = {
    confirm: text('extension.confirm'),
    connect: text('extension.connect'),
    signIn: text('extension.signIn'),
    done: text('extension.confirmed'),
    failed: text('extension.connectFailed'),
    close: text('recovery.close'),
    direction: language.dir,
    connected: accountOf(state)?.email ?? null,
  }
  await browser.scripting.executeScript({ target: { tabId }, files: [SCRIPT] })
  await browser.scripting.executeScript({
    target: { tabId },
    func: (shown: ConnectTexts) => globalThis.mayflyConnect?.(shown),
    args: [texts],
  })
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length < 1000

/**
 * Stores the API key and the kept addresses. Returns false if they are not from the site of the service, or if the
 * visitor has not asked for the connection. Each request of the visitor allows one connection.
 */
export const confirmConnection = (request: ConnectRequest, origin: string): Promise<boolean> =>
  navigator.locks.request('connect', () => confirmNow(request, origin))

async function confirmNow(request: ConnectRequest, origin: string): Promise<boolean> {
  const current = await readState()
  const { service } = current.settings
  if (origin !== new URL(service).origin || !(await isConnecting())) return false
  const { email, kept, domains } = request
  const { account: earlier } = current
  const connected = accountOf(current)
  // Another account may be signed in on the site than the one whose key the extension has.
  const isSameAccount = connected?.email === email
  const token = request.token ?? (isSameAccount ? connected.token : undefined)
  if (!isText(email) || !isText(token) || !token.startsWith('mfk_')) return false
  if (!Array.isArray(kept) || !Array.isArray(domains)) return false
  const held = kept
    .filter((each) => isText(each.address) && isText(each.secret))
    .map(({ address, secret, label }): Held => ({
      service,
      address,
      secret,
      createdAt: Date.now(),
      site: null,
      label: isText(label) ? label : '',
    }))
  // Before the key is stored, because a failure after that would tell the page that the key is not in use.
  await browser.storage.session.remove(KEY)
  await changeState((state) => {
    if (earlier && !isSameAccount) dropAccount(state, earlier)
    state.account = { service, email, token, domains: domains.filter(isText) }
    const others = state.held.filter((each) => !held.some((now) => isSame(each, now)))
    // The account no longer has them, or they have expired.
    for (const each of others) if (each.service === service) each.label = null
    // Secrets may have been replaced since the last time. An address that was created for a site still belongs to it.
    const renewed = held.map((now) => {
      const { site = null, seen } = state.held.find((each) => isSame(each, now)) ?? {}
      return { ...now, site, ...(seen === undefined ? {} : { seen }) }
    })
    state.held = [...others, ...renewed]
  })
  // Revokes the key of an earlier connection, because nothing else has it.
  if (earlier && earlier.token !== token) void revokeKey(earlier).catch(() => {})
  return true
}
