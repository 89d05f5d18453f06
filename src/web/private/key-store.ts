import type { PrivateKeys } from './keys.ts'

const DATABASE = 'mayfly'
const KEYS = 'private-keys'
/** The channel on which tabs say which key they forget. */
const FORGOTTEN = 'mayfly:forgotten-keys'

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The keys cannot be stored')))
  })

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(KEYS))
  return resultOf(request)
}

async function transact<T>(mode: IDBTransactionMode, work: (keys: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase()
  try {
    const transaction = database.transaction(KEYS, mode, { durability: 'strict' })
    const result = await resultOf(work(transaction.objectStore(KEYS)))
    if (mode === 'readonly') return result
    await new Promise((resolve, reject) => {
      transaction.addEventListener('complete', resolve)
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('The key was not stored')))
    })
    return result
  } finally {
    database.close()
  }
}

/** The keys of this device by the id of their address. Scripts can use a stored key but not read it. */
export const keyStore = {
  find: (id: string): Promise<PrivateKeys | undefined> =>
    transact('readonly', (keys) => keys.get(id) as IDBRequest<PrivateKeys | undefined>),

  /** Rejects if the browser can't store the keys. */
  async keep(id: string, keys: PrivateKeys): Promise<void> {
    await transact('readwrite', (store) => store.put(keys, id))
    // WebKit without a keychain reports success, but stores nothing.
    if (!(await keyStore.find(id))?.privateKey) throw new Error('The key was not stored')
    // Without persistence the browser may evict the key when space is short. Firefox asks the visitor: nothing waits for
    // the answer.
    void navigator.storage?.persist?.().catch(() => false)
  },

  /** Deletes the key, and tells all tabs. Rejects if this device still has it. */
  async forget(id: string): Promise<void> {
    try {
      await transact('readwrite', (keys) => keys.delete(id))
    } catch (error) {
      if (await keyStore.find(id).catch(() => {})) throw error
    }
    const tabs = new BroadcastChannel(FORGOTTEN)
    tabs.postMessage(id)
    tabs.close()
  },

  /** Calls `listener` when another tab forgets the key, or did while the browser kept this page for Back. An effect. */
  watch(id: string, listener: () => void): () => void {
    const tabs = new BroadcastChannel(FORGOTTEN)
    tabs.addEventListener('message', ({ data }) => data === id && listener())
    const shown = async ({ persisted }: PageTransitionEvent): Promise<void> => {
      if (persisted && !(await keyStore.find(id).catch(() => {}))) listener()
    }
    const onShown = (event: PageTransitionEvent): void => void shown(event)
    addEventListener('pageshow', onShown)
    return () => {
      tabs.close()
      removeEventListener('pageshow', onShown)
    }
  },
}
