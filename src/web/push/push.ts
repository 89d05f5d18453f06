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
  /**
   * Addresses that were subscribed with an earlier endpoint of this browser. A page that opens one subscribes it again with
   * the current endpoint.
   */
  moved: string[]
}

const NO_SETTINGS: Settings = { ids: [], addresses: {}, details: false, texts: null, moved: [] }

async function readSettings(): Promise<Settings> {
  const kept = await (await caches.open(CACHE)).match(SETTINGS)
  return { ...NO_SETTINGS, ...((await kept?.json()) as Partial<Settings> | undefined) }
}

/** Changes the settings. Other pages and the worker do so one after the other. */
const change = (changed: (now: Settings) => Partial<Settings>): Promise<void> =>
  navigator.locks.request(CACHE, async () => {
    const now = await readSettings()
    const settings = { ...now, ...changed(now) }
    // Nothing tells which addresses this browser had before.
    const addresses = Object.fromEntries(Object.entries(settings.addresses).filter(([id]) => settings.ids.includes(id)))
    await (await caches.open(CACHE)).put(SETTINGS, new Response(JSON.stringify({ ...settings, addresses })))
  })

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

/** What this browser and the service know of the address that the page shows. */
async function current() {
  const [{ address }, { subscriptions, publicKey }, { ids, addresses }] = await Promise.all([
    api.address(),
    state(),
    readSettings(),
  ])
  const isListed = (id: string): boolean => subscriptions.some((each) => each.id === id)
  const own = ids.filter((id) => addresses[id] === address || isListed(id))
  return { address, publicKey, own, isForgotten: own.length > 0 && !own.some(isListed) }
}

type Current = Awaited<ReturnType<typeof current>>

/**
 * Returns the subscription of this browser, which has one for all addresses, with one key. If the service has forgotten it,
 * the push service may have refused its endpoint, so it gets another one.
 */
async function subscriptionOf(
  { pushManager }: ServiceWorkerRegistration,
  { address, publicKey, isForgotten }: Current,
): Promise<PushSubscription> {
  const before = await pushManager.getSubscription()
  if (before && !isForgotten && isSameKey(before.options.applicationServerKey, publicKey)) return before
  await before?.unsubscribe()
  await change(({ addresses, moved }) => ({
    ids: [],
    moved: [...new Set([...moved, ...Object.values(addresses)])].filter((each) => each !== address),
  }))
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }).catch(() => {
    throw new ApiError('push_invalid')
  })
}

async function subscribe(address: string, subscription: PushSubscription): Promise<void> {
  // The page may show another address by now.
  const headers = { 'content-type': 'application/json', 'x-address': address }
  const { id } = await json<PushSubscriptionJson>(call('POST', '/address/push', subscription.toJSON(), { headers }))
  await change(({ ids, addresses, moved }) => ({
    ids: [id, ...ids.filter((each) => each !== id && addresses[each] !== address)].slice(0, REMEMBERED),
    addresses: { ...addresses, [id]: address },
    moved: moved.filter((each) => each !== address),
  }))
}

/** Returns the worker if this browser has a subscription and still allows notifications. */
async function subscribedWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const worker = Notification.permission === 'granted' ? await activeWorker() : undefined
  return (await worker?.pushManager.getSubscription()) ? worker : undefined
}

/** Runs a call that gives the address a new secret, which ends its subscriptions, and then renews that of this browser. */
export async function renewAfter(run: () => Promise<unknown>): Promise<void> {
  // Its subscription may have ended in an earlier attempt whose response was lost.
  const before = await current().catch(() => undefined)
  await run()
  if (!before?.own.length) return
  try {
    const worker = await subscribedWorker()
    if (worker) await subscribe(before.address, await subscriptionOf(worker, before))
  } catch {
    // The secret is replaced nevertheless, and the page shows that notifications are off.
  }
}

/**
 * Called when a page opens an address. If the browser `hasSeveral`, the address gets the current endpoint. Otherwise the
 * subscriptions for others end, whose secrets the browser no longer has.
 */
export async function checkSubscriptions(address: string, hasSeveral: boolean): Promise<void> {
  const { ids, addresses, moved } = await readSettings()
  if (hasSeveral) {
    if (!moved.includes(address)) return
    // Tried once: the switch says whether it is on.
    await change((now) => ({ moved: now.moved.filter((each) => each !== address) }))
    const subscription = await (await subscribedWorker())?.pushManager.getSubscription()
    if (subscription) await subscribe(address, subscription)
  } else if (ids.length > 0) {
    const { subscriptions } = await state()
    const others = ids.filter((id) => addresses[id] !== address && !subscriptions.some((each) => each.id === id))
    await Promise.all(others.map((id) => call('DELETE', `/push/${id}`)))
    await change((now) => ({ ids: now.ids.filter((id) => !others.includes(id)), moved: [] }))
  }
}

/** Must be called in a click handler: browsers ask for permission only after a click. */
export async function switchPushOn(texts: PushTexts): Promise<{ push: PushState; details: boolean }> {
  if ((await Notification.requestPermission()) === 'granted') {
    const [worker, now] = await Promise.all([activeWorker(), current()])
    if (!worker) throw new ApiError('push_invalid')
    await change(() => ({ texts }))
    await subscribe(now.address, await subscriptionOf(worker, now))
  }
  return pushState()
}

export async function switchPushOff(): Promise<{ push: PushState; details: boolean }> {
  const { own } = await current()
  await Promise.all(own.map((id) => call('DELETE', `/address/push/${id}`)))
  await change(({ ids }) => ({ ids: ids.filter((id) => !own.includes(id)) }))
  return pushState()
}

/** Whether notifications show sender and code, on this browser. */
export async function showDetails(details: boolean): Promise<void> {
  await change(() => ({ details }))
}
