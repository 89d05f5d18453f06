/**
 * Registers the service worker (public/sw.js); a second call returns the same registration. Undefined if the browser has
 * none or refuses, as some do in private mode. The site works without it.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (import.meta.env.DEV) return undefined
  const { lang, build } = document.documentElement.dataset
  return navigator.serviceWorker?.register(`/sw.js?lang=${lang}&build=${build}`).catch(() => undefined)
}
