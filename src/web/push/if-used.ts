const hasPush = async (): Promise<boolean> => 'caches' in window && caches.has('push')

/** Loads the code of pushes, if this browser has ever used them. */
const loadIfUsed = async (): Promise<typeof import('./push.ts') | undefined> =>
  (await hasPush().catch(() => false)) ? import('./push.ts') : undefined

/** Keeps the pushes of an address that is opened, and ends those of others, unless the browser `hasSeveral`. */
export const checkPushes = async (address: string, hasSeveral: boolean): Promise<void> =>
  (await loadIfUsed())?.checkSubscriptions(address, hasSeveral).catch(() => {})

/** Runs a call that gives the address a new secret. Pushes to this browser go on. */
export async function keepPush(run: () => Promise<unknown>): Promise<void> {
  const push = await loadIfUsed()
  await (push ? push.renewAfter(run) : run())
}
