import { registerWorker } from './service-worker.ts'

/**
 * Resolves when the worker is active, or to undefined if it can't be installed. `serviceWorker.ready` would never resolve
 * then.
 */
export async function activeWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await registerWorker()
  const worker = registration?.active ?? registration?.waiting ?? registration?.installing
  while (worker && worker.state !== 'activated') {
    if (worker.state === 'redundant') return undefined
    await new Promise((changed) => worker.addEventListener('statechange', changed, { once: true }))
  }
  return worker ? registration : undefined
}
