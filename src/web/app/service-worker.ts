let registered: (registration: Promise<ServiceWorkerRegistration | undefined> | undefined) => void
const registration = new Promise<ServiceWorkerRegistration | undefined>((resolve) => (registered = resolve))

/** Registers the service worker (public/sw.js). Without a URL there is none. */
export function registerWorker(url?: string): void {
  // Some browsers refuse this in private mode. The site works without it.
  registered(url === undefined ? undefined : navigator.serviceWorker?.register(url).catch(() => undefined))
}

/**
 * The registration, when the worker is active. Undefined if the browser has none: there `serviceWorker.ready` would never
 * resolve.
 */
export const activeWorker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  (await registration) && navigator.serviceWorker.ready
