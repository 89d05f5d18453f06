/**
 * Registers the service worker (public/sw.js); a second call returns the same registration. Undefined if the browser has
 * none or refuses, as some do in private mode. The site works without it.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (import.meta.env.DEV) return undefined
  const { lang, build } = document.documentElement.dataset
  return navigator.serviceWorker?.register(`/sw.js?lang=${lang}&build=${build}`).catch(() => undefined)
}

/** Resolves when the worker is active, or to undefined without one: `serviceWorker.ready` would never resolve. */
export const activeWorker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  (await registerWorker()) && navigator.serviceWorker.ready
