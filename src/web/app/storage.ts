type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The browser's storage. What is forbidden or full keeps values in memory until the page is closed. */
function guarded(real: () => Storage): Kept {
  const instead = new Map<string, string>()
  const attempt = <T>(work: (storage: Storage) => T): T | null => {
    try {
      return work(real())
    } catch {
      return null
    }
  }
  return {
    getItem: (key) => instead.get(key) ?? attempt((storage) => storage.getItem(key)),
    setItem(key, value) {
      instead.set(key, value)
      attempt((storage) => {
        storage.setItem(key, value)
        instead.delete(key)
      })
    },
    removeItem(key) {
      instead.delete(key)
      attempt((storage) => storage.removeItem(key))
    },
  }
}

export const session = guarded(() => sessionStorage)
export const local = guarded(() => localStorage)

/**
 * In `session`: a secret that this page made, and what it is for, until a response says whether the server stored it
 * (`api/new-address.ts`). Only this tab has it, also after a reload.
 */
export const PENDING_SECRET = 'mayfly:new'

/** In `local` while this browser has an address, so that other pages know that there is an inbox to follow. */
export const INBOX_KEY = 'mayfly:inbox'
