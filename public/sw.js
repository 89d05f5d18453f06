/*
 * The service worker shows the offline page when a navigation fails without a connection, and a notification when a
 * push arrives. It never caches other pages, payloads or messages, so it serves nothing private and no old build.
 */
const parameters = new URL(location.href).searchParams
const lang = parameters.get('lang')
const CACHE = `offline-${lang}-${parameters.get('build')}`
const OFFLINE = lang === 'zh' ? '/offline' : `/${lang}/offline`
/** What notifications say, and whether they show sender and code. The pages write it (src/web/push/push.ts). */
const PUSH = 'push'
const SETTINGS = '/push-settings'
const SUBSCRIPTIONS = '/api/v1/address/push'
/** Requests of the worker do not count as visits, so they do not extend the address. */
const NO_VISIT = { 'x-visit': 'no' }

/** How long a request may take before a notification is shown without its response, in milliseconds. */
const DETAILS_WITHIN = 3000

/** Returns the status and the JSON body of a response; undefined if there was no whole one in time. */
async function ask(path) {
  try {
    const response = await fetch(path, { headers: NO_VISIT, signal: AbortSignal.timeout(DETAILS_WITHIN) })
    return { status: response.status, body: response.ok ? await response.json() : undefined }
  } catch {
    return undefined
  }
}

/** Caches the offline page and its files. */
async function fill() {
  const cache = await caches.open(CACHE)
  const page = await fetch(OFFLINE, { credentials: 'omit' })
  if (!page.ok) throw new Error(`${OFFLINE} answered ${page.status}`)
  const html = await page.clone().text()
  const files = [...html.matchAll(/(?:href|src)="(\/(?:assets\/[^"]+\.css|favicon\.svg|offline\.js))"/g)]
  await Promise.all([cache.put(OFFLINE, page), cache.addAll(files.map(([, file]) => file))])
}

async function forgetOthers() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== CACHE && name !== PUSH).map((name) => caches.delete(name)))
  await clients.claim()
}

/** Returns the response of the network, or the cached one of `key` without a connection. */
async function answer(request, key) {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match(key)
    if (kept) return kept
    throw error
  }
}

/**
 * Fetches sender and code of a message, which no push contains. Returns undefined if the browser now has another address
 * or cannot reach the site.
 */
async function detailsOf(id, texts) {
  const answered = await ask('/api/v1/messages')
  const message = answered?.body?.messages.find((each) => each.id === id)
  if (!message) return undefined
  const values = { sender: message.from.name || message.from.address, subject: message.subject, code: message.code }
  return (message.code ? texts.code : texts.plain).replace(/\{(\w+)\}/g, (_, name) => values[name])
}

/** WebKit ends the subscription of a site that does not show a notification for each push. */
const mustShow = () => /AppleWebKit/.test(navigator.userAgent) && !/Chrome\//.test(navigator.userAgent)

/** Reads the settings that the pages wrote. */
async function readSettings() {
  const kept = await (await caches.open(PUSH)).match(SETTINGS)
  return kept ? kept.json() : {}
}

/** Subscribes for the current address again, after the browser ended the subscription. Returns its former id and its new one. */
async function renew(ids, subscription) {
  const { subscriptions = [], publicKey } = await (await fetch(SUBSCRIPTIONS, { headers: NO_VISIT })).json()
  const before = subscriptions.find(({ id }) => ids.includes(id))
  if (!before) return []
  const renewed =
    subscription ??
    (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }))
  const response = await fetch(SUBSCRIPTIONS, {
    method: 'POST',
    headers: { ...NO_VISIT, 'content-type': 'application/json' },
    body: JSON.stringify(renewed),
  })
  return response.ok ? [[before.id, (await response.json()).id]] : []
}

/**
 * Replaces the ids of the subscription that the browser ended. If it can't be renewed there are none, and the page shows
 * that notifications are off. Other addresses get the new one when a page opens them.
 */
async function replaceSubscription({ newSubscription }) {
  const { ids = [], addresses = {} } = await readSettings()
  const renewed = ids.length > 0 ? await renew(ids, newSubscription).catch(() => []) : []
  // Pages change the settings too.
  await navigator.locks.request(PUSH, async () => {
    const settings = await readSettings()
    const moved = ids.filter((id) => !renewed.some(([before]) => before === id)).map((id) => addresses[id])
    const now = {
      ...settings,
      ids: renewed.map(([, id]) => id),
      addresses: Object.fromEntries(renewed.map(([before, id]) => [id, addresses[before]])),
      moved: [...new Set([...(settings.moved ?? []), ...moved.filter(Boolean)])],
    }
    await (await caches.open(PUSH)).put(SETTINGS, Response.json(now))
  })
}

/** How long a page has to answer, in milliseconds. After a click, browsers let a window open only for about a second. */
const ANSWER_WITHIN = 500

/**
 * Asks a page for the address whose inbox, or one of whose messages, it shows. Its URL is only that with which it was loaded.
 * False if it shows none, true if it has no address now.
 */
function inboxOf(page) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', ({ data }) => resolve(data))
    port1.start()
    setTimeout(() => resolve(false), ANSWER_WITHIN)
    page.postMessage('inbox?', [port2])
  })
}

/** Returns the open pages that show the inbox of this address, and of any other. If no address is given, any is this one. */
async function inboxes(address) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = await Promise.all(pages.map(inboxOf))
  const isOwn = (of) => of && (!address || of === address)
  return {
    own: pages.filter((_, i) => isOwn(shown[i])),
    others: pages.filter((_, i) => typeof shown[i] === 'string' && !isOwn(shown[i])),
  }
}

/** Whether the browser has another address than this one, as those of subscribers may, or none. */
async function isElsewhere(address) {
  const answered = await ask('/api/v1/address')
  return answered?.body ? answered.body.address !== address : answered?.status === 401
}

/** `subscription`: the id of the subscription of this browser, which tells for which address the message is. */
async function notify({ id, count, subscription }) {
  const { details, texts, ids = [], addresses = {} } = await readSettings()
  const address = addresses[subscription]
  const { own, others } = await inboxes(address)
  // The badge counts the messages of the inbox that is open.
  if (own.length > 0 || others.length === 0) await navigator.setAppBadge?.(count).catch(() => {})
  // A visible inbox shows the message itself. Other pages show at most its code.
  if (own.some(({ visibilityState }) => visibilityState === 'visible') && !mustShow()) return
  const words = (details && texts && (await detailsOf(id, texts))) || texts?.arrived
  const home = texts?.home ?? '/'
  const elsewhere = address && (await isElsewhere(address))
  // Only who has several addresses has to know for which one it is.
  const isNamed = elsewhere || (address && ids.length > 1)
  await registration.showNotification('Mayfly', {
    body: isNamed ? `${words}\n${address}` : words,
    // The same as that of the page's own notification, so that each message has one.
    tag: id,
    icon: '/icon-192.png',
    lang: texts?.locale,
    dir: texts?.dir,
    // Another address can be opened on the page of the account.
    data: { home: elsewhere ? `${home === '/' ? '' : home}/account` : home, address },
  })
}

/** Shows the open inbox of the message, or opens one. Other pages stay, because they may contain input. */
async function open(home, address) {
  const [inbox] = (await inboxes(address)).own
  await (inbox ? inbox.focus() : clients.openWindow(home))
}

addEventListener('install', (event) => event.waitUntil(Promise.all([fill(), skipWaiting()])))
addEventListener('activate', (event) => event.waitUntil(forgetOthers()))
addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode === 'navigate') {
    if (new URL(request.url).origin === location.origin) event.respondWith(answer(request, OFFLINE))
  } else if (/\/(?:assets\/[^/]+\.css|favicon\.svg|offline\.js)$/.test(request.url)) {
    event.respondWith(answer(request, request))
  }
})
addEventListener('push', (event) => event.waitUntil(notify(event.data?.json() ?? {})))
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(replaceSubscription(event)))
addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { home, address } = event.notification.data
  event.waitUntil(open(home, address))
})
