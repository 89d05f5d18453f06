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
  /** The address that is being subscribed. It stays if the response was lost. */
  pending: string | null
  /** The ids that were sent again because the service had forgotten them. */
  resent: string[]
}

const NO_SETTINGS: Settings = { ids: [], addresses: {}, details: false, texts: null, pending: null, resent: [] }

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

/** Returns the subscription of this browser. A browser has one, with one key. If its endpoint is dead, it gets another one. */
async function subscriptionOf(
  { pushManager }: ServiceWorkerRegistration,
  publicKey: string,
  isDead: boolean,
): Promise<PushSubscription> {
  const before = await pushManager.getSubscription()
  if (before && !isDead && isSameKey(before.options.applicationServerKey, publicKey)) return before
  await before?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }).catch(() => {
    throw new ApiError('push_invalid')
  })
}

async function subscribe(address: string, subscription: PushSubscription): Promise<void> {
  // If the response is lost, the next page sends it again.
  await change(() => ({ pending: address }))
  const { id } = await json<PushSubscriptionJson>(call('POST', '/address/push', subscription.toJSON()))
  await change(({ ids, addresses }) => ({
    ids: [id, ...ids.filter((each) => each !== id && addresses[each] !== address)].slice(0, REMEMBERED),
    addresses: { ...addresses, [id]: address },
    pending: null,
  }))
}

/** What this browser and the service know of the current address. */
async function current() {
  const [{ address }, { subscriptions, publicKey }, settings] = await Promise.all([
    api.address(),
    state(),
    readSettings(),
  ])
  const own = settings.ids.filter((id) => settings.addresses[id] === address)
  const isListed = (id: string): boolean => subscriptions.some((each) => each.id === id)
  return { address, publicKey, settings, own, isListed, isForgotten: own.length > 0 && !own.some(isListed) }
}

/**
 * Subscribes again for the current address if this browser was told of its messages, and the service has forgotten that: its
 * secret was replaced (`isExpected`), or the session has ended. An endpoint that it forgets again is dead.
 */
async function restore(isExpected: boolean): Promise<void> {
  const { address, publicKey, settings, own, isForgotten } = await current()
  if (!isForgotten && settings.pending !== address) return
  const worker = Notification.permission === 'granted' ? await activeWorker() : undefined
  if (!worker || !(await worker.pushManager.getSubscription())) return
  const isDead = !isExpected && isForgotten && own.some((id) => settings.resent.includes(id))
  await subscribe(address, await subscriptionOf(worker, publicKey, isDead))
  if (!isExpected) await change(() => ({ resent: isDead ? [] : own }))
}

/** Runs a call that gives the address a new secret, which ends its subscriptions, and then renews that of this browser. */
export async function renewAfter(run: () => Promise<unknown>): Promise<void> {
  await run()
  // If that fails, the secret is replaced nevertheless, and the next page tries again.
  await restore(true).catch(() => {})
}

/**
 * Renews the subscription for the current address if the service has forgotten it. Ends those of this browser for other
 * addresses, whose secrets it no longer has, unless it `hasSeveral`.
 */
export async function checkSubscriptions(hasSeveral: boolean): Promise<void> {
  const { ids, pending } = await readSettings()
  if (ids.length === 0 && pending === null) return
  await restore(false).catch(() => {})
  if (hasSeveral) return
  const { settings, own, isListed } = await current()
  const others = settings.ids.filter((id) => !isListed(id) && !own.includes(id))
  await Promise.all(others.map((id) => call('DELETE', `/push/${id}`)))
  await change((now) => ({ ids: now.ids.filter((id) => !others.includes(id)) }))
}

/** Must be called in a click handler: browsers ask for permission only after a click. */
export async function switchPushOn(texts: PushTexts): Promise<{ push: PushState; details: boolean }> {
  if ((await Notification.requestPermission()) === 'granted') {
    const [worker, { address, publicKey, isForgotten }] = await Promise.all([activeWorker(), current()])
    if (!worker) throw new ApiError('push_invalid')
    const subscription = await subscriptionOf(worker, publicKey, isForgotten)
    await change(() => ({ texts, resent: [] }))
    await subscribe(address, subscription)
  }
  return pushState()
}

export async function switchPushOff(): Promise<{ push: PushState; details: boolean }> {
  const { settings, own, isListed } = await current()
  const ended = settings.ids.filter((id) => isListed(id) || own.includes(id))
  await Promise.all(ended.map((id) => call('DELETE', `/address/push/${id}`)))
  await change((now) => ({ ids: now.ids.filter((id) => !ended.includes(id)), pending: null }))
  return pushState()
}

/** Whether notifications show sender and code, on this browser. */
export async function showDetails(details: boolean): Promise<void> {
  await change(() => ({ details }))
}
