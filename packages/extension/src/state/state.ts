import { browser } from '../browser.ts'

/** An address whose secret the extension has. */
export interface Held {
  /** The URL of the service. */
  service: string
  address: string
  secret: string
  /** Milliseconds since the epoch. */
  createdAt: number
  /** When the extension last asked the service for it, which extends it. */
  extendedAt?: number
  /** The newest message that was looked at. */
  seen?: string
  /** Whether the service no longer accepts the secret. From then on it is asked only when the address is used. */
  refused?: boolean
  /** The origin that it was created for. Null for addresses that are used on any site. */
  site: string | null
  /** The subscriber's name for an address that the account keeps. Null if the extension created the address. */
  label: string | null
}

/** Where an address was filled in. A code for the address goes to this origin only. */
export interface Fill {
  address: string
  origin: string
  tabId: number
  at: number
}

export interface Settings {
  /** The URL of the service, without a slash at the end. */
  service: string
  colors: 'auto' | 'light' | 'dark'
  /** The code of a language, or `auto` for that of the browser. */
  language: string
  /** Whether email fields have a mark on all sites. */
  marks: boolean
  /** Origins without marks. */
  hidden: string[]
  /** Whether a subscriber gets an address for each site. */
  perSite: boolean
  /** The domain of new addresses. Empty for the default of the service. */
  domain: string
}

/** The connection to a subscription. */
export interface Account {
  service: string
  email: string
  /** The API key. */
  token: string
  /** The verified own domains of the subscriber. */
  domains: string[]
}

export interface State {
  settings: Settings
  held: Held[]
  /** The current address of each service. */
  current: Record<string, string>
  fills: Fill[]
  account: Account | null
}

const KEY = 'state'

/** The service that the package was made for. */
async function packagedService(): Promise<string> {
  const response = await fetch(browser.runtime.getURL('/service.json'))
  const { url } = (await response.json()) as { url: string }
  return url
}

const emptyState = async (): Promise<State> => ({
  settings: {
    service: await packagedService(),
    colors: 'auto',
    language: 'auto',
    marks: false,
    hidden: [],
    perSite: true,
    domain: '',
  },
  held: [],
  current: {},
  fills: [],
  account: null,
})

/** Denies scripts in pages access to the state if the browser can. A page may have taken over its process. */
export const guardState = async (): Promise<void> =>
  browser.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' })

export async function readState(): Promise<State> {
  const stored = await browser.storage.local.get(KEY)
  return (stored[KEY] as State | undefined) ?? emptyState()
}

/**
 * Changes the state in place. The pages of the extension and its background do so one after the other. The callback
 * must not wait for the network.
 */
export async function changeState<Result>(change: (state: State) => Result): Promise<Result> {
  return navigator.locks.request('state', async () => {
    const state = await readState()
    const result = change(state)
    await browser.storage.local.set({ [KEY]: state })
    return result
  })
}

/** Whether two entries are for one address. Another service may have an address of the same name. */
export const isSame = (a: Pick<Held, 'service' | 'address'>, b: Pick<Held, 'service' | 'address'>): boolean =>
  a.address === b.address && a.service === b.service

/** Changes an address, unless it was forgotten or has got another secret. */
export const changeHeld = ({ secret, ...held }: Held, change: (now: Held) => void): Promise<void> =>
  changeState((state) => {
    const now = state.held.find((each) => each.secret === secret && isSame(each, held))
    if (now) change(now)
  })

/** Removes an address and all that is known about it. */
export function dropHeld(state: State, held: Held): void {
  const { address, service } = held
  state.held = state.held.filter((each) => !isSame(each, held))
  state.fills = state.fills.filter((each) => each.address !== address)
  if (state.current[service] === address) delete state.current[service]
}

/** Removes the state of the extension. */
export async function clearState(): Promise<void> {
  await navigator.locks.request('state', () => browser.storage.local.clear())
  await browser.storage.session.clear()
}

/** Calls `listener` after each change. Returns a function that stops it. */
export function watchState(listener: () => void): () => void {
  const onChanged = (changes: object, area: string): void => {
    if (area === 'local' && KEY in changes) listener()
  }
  browser.storage.onChanged.addListener(onChanged)
  return () => browser.storage.onChanged.removeListener(onChanged)
}
