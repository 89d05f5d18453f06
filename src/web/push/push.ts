import type { PushStateJson, PushSubscriptionJson } from '#contract/push.ts'
import { api, ApiError, call, json } from '../api/api.ts'
import { activeWorker } from '../app/active-worker.ts'

/** Where the service worker (public/sw.js) finds what it shows. It cannot read the storage of the pages. */
const CACHE = 'push'
const SETTINGS = '/push-settings'
/** Subscriptions of this browser that are remembered. Subscribers have one for each address. */
const REMEMBERED = 50

/** What a notification says, in the language in which the visitor switched it on. */
export interface PushTexts {
  /** Where a click leads. */
  home: string
  locale: string
  dir: 'ltr' | 'rtl'
  arrived: string
  /** With `{sender}` and `{subject}`. */
  plain: string
  /** With `{sender}` and `{code}`. */
  code: string
}

interface Settings {
  /** The ids of the subscriptions of this browser. */
  ids: string[]
  /** Their addresses by id. Those that an earlier build subscribed have none. */
  addresses: Record<string, string>
  /** Whether the notification shows sender and code. */
  details: boolean
  texts: PushTexts | null
}

const NO_SETTINGS: Settings = { ids: [], addresses: {}, details: false, texts: null }

async function readSettings(): Promise<Settings> {
  const kept = await (await caches.open(CACHE)).match(SETTINGS)
  return { ...NO_SETTINGS, ...((await kept?.json()) as Partial<Settings> | undefined) }
}

async function change(changes: Partial<Settings>): Promise<void> {
  const settings = { ...(await readSettings()), ...changes }
  // Nothing tells which addresses this browser had before.
  const addresses = Object.fromEntries(Object.entries(settings.addresses).filter(([id]) => settings.ids.includes(id)))
  await (await caches.open(CACHE)).put(SETTINGS, new Response(JSON.stringify({ ...settings, addresses })))
}

const state = (): Promise<PushStateJson> => json(call('GET', '/address/push'))

/**
 * `none`: the visitor has no address. `blocked`: the browser refuses notifications. `install-first`: only the installed app
 * gets them (iPhone and iPad).
 */
export type PushState = 'none' | 'on' | 'off' | 'blocked' | 'unsupported' | 'install-first'

const isAppleMobile = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** Whether this browser is told of new messages to the current address. */
export async function pushState(): Promise<{ push: PushState; details: boolean }> {
  const { ids, details } = 'caches' in window ? await readSettings() : NO_SETTINGS
  const is = (push: PushState) => ({ push, details })
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return is(isAppleMobile() ? 'install-first' : 'unsupported')
  if (Notification.permission === 'denied') return is('blocked')
  const subscriptions = await state().then(
    (all) => all.subscriptions,
    (error: unknown) => {
      if (error instanceof ApiError && error.problem.code === 'unauthorized') return null
      throw error
    },
  )
  if (!subscriptions) return is('none')
  const worker = await activeWorker()
  if (!worker) return is('unsupported')
  const subscription = await worker.pushManager.getSubscription()
  return is(subscription && subscriptions.some(({ id }) => ids.includes(id)) ? 'on' : 'off')
}

const isSameKey = (key: ArrayBuffer | null | undefined, text: string): boolean =>
  key !== null &&
  key !== undefined &&
  btoa(String.fromCodePoint(...new Uint8Array(key)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '') === text

async function subscribe(subscription: PushSubscription): Promise<void> {
  const { address } = await api.address()
  const { id } = await json<PushSubscriptionJson>(call('POST', '/address/push', subscription.toJSON()))
  const { ids, addresses } = await readSettings()
  const kept = [id, ...ids.filter((each) => each !== id)].slice(0, REMEMBERED)
  await change({ ids: kept, addresses: { ...addresses, [id]: address } })
}

/** Runs a call that gives the address a new secret, which ends its subscriptions, and then renews that of this browser. */
export async function renewAfter(run: () => Promise<unknown>): Promise<void> {
  const wasOn = await pushState().then(
    ({ push }) => push === 'on',
    () => false,
  )
  await run()
  if (!wasOn) return
  const subscription = await (await activeWorker())?.pushManager.getSubscription()
  // If that fails, the secret is replaced nevertheless, and the page shows that notifications are off.
  if (subscription) await subscribe(subscription).catch(() => {})
}

/** Ends the subscriptions of this browser for other addresses than the current one, whose secrets it no longer has. */
export async function endOthers(): Promise<void> {
  const { ids } = await readSettings()
  if (ids.length === 0) return
  const { subscriptions } = await state()
  const others = ids.filter((each) => !subscriptions.some(({ id }) => id === each))
  await Promise.all(others.map((id) => call('DELETE', `/push/${id}`)))
  await change({ ids: ids.filter((id) => !others.includes(id)) })
}

/** Must be called in a click handler: browsers ask for permission only after a click. */
export async function switchPushOn(texts: PushTexts): Promise<{ push: PushState; details: boolean }> {
  if ((await Notification.requestPermission()) === 'granted') {
    const [worker, { publicKey }] = await Promise.all([activeWorker(), state()])
    if (!worker) throw new ApiError('push_invalid')
    const { pushManager } = worker
    const before = await pushManager.getSubscription()
    const fits = before && isSameKey(before.options.applicationServerKey, publicKey)
    // A browser has one subscription, with one key.
    if (before && !fits) await before.unsubscribe()
    const subscription = fits
      ? before
      : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }).catch(() => {
          throw new ApiError('push_invalid')
        })
    await change({ texts })
    await subscribe(subscription)
  }
  return pushState()
}

export async function switchPushOff(): Promise<{ push: PushState; details: boolean }> {
  const [{ subscriptions }, { ids }] = await Promise.all([state(), readSettings()])
  const own = subscriptions.filter(({ id }) => ids.includes(id)).map(({ id }) => id)
  await Promise.all(own.map((id) => call('DELETE', `/address/push/${id}`)))
  await change({ ids: ids.filter((id) => !own.includes(id)) })
  return pushState()
}

/** Whether notifications show sender and code, on this browser. */
export async function showDetails(details: boolean): Promise<void> {
  await change({ details })
}
