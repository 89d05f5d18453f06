/*
 * The service worker only shows the offline page when a navigation fails without a connection. It never caches other
 * pages, payloads or messages, so it serves nothing private and no old build.
 */
const parameters = new URL(location.href).searchParams
const lang = parameters.get('lang')
const CACHE = `offline-${lang}-${parameters.get('build')}`
const OFFLINE = lang === 'zh' ? '/offline' : `/${lang}/offline`

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
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
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
