type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

function inMemory(): Kept {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}

/** The browser's storage. If it is forbidden or full, values are kept in memory until the page is closed. */
function guarded(real: () => Storage): Kept {
  const instead = inMemory()
  const attempt = <T>(work: (storage: Kept) => T): T => {
    try {
      return work(real())
    } catch {
      return work(instead)
    }
  }
  return {
    getItem: (key) => attempt((storage) => storage.getItem(key)),
    setItem: (key, value) => attempt((storage) => storage.setItem(key, value)),
    removeItem: (key) => attempt((storage) => storage.removeItem(key)),
  }
}

export const session = guarded(() => sessionStorage)
export const local = guarded(() => localStorage)

/**
 * In `session`: a secret that this page made, and what it is for, until a response says whether the server stored it
 * (`api/new-address.ts`). Only this tab has it, also after a reload.
 */
export const UNSURE = 'mayfly:new'
