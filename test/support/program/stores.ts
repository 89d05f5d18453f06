import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { DATABASE_FILE, type Store } from '#core/store.ts'
import { LOCK_FILE } from '#store/dialects/sqlite/use-lock.ts'
import { openStore } from '#store/store.ts'
import { emptySqlite } from './databases.ts'

interface BorrowedStore {
  store: Store
  directory: string
  /** Resets rows and directory for the next test. Call it after `close`. */
  release(): Promise<void>
}

interface Opened {
  store: Store
  directory: string
}

/** Prints what stores report as errors. */
export const errorLogger = {
  error: (fields: object, text: string) => console.error(text, fields),
  warn() {},
  info() {},
}

/** The open stores of this process that no test uses. Their threads don't keep it alive. */
const free: Opened[] = []

/**
 * A SQLite store with the rows of a migrated database. One after the other, tests use the same, because its threads take
 * longer to start than most tests. Its `close` ends only this use of it. It has the default settings and a logger of its own.
 */
export async function borrowStore(): Promise<BorrowedStore> {
  const opened = free.pop() ?? (await open())
  return {
    store: lent(opened.store),
    directory: opened.directory,
    async release() {
      if (await restore(opened)) free.push(opened)
      else {
        await opened.store.close()
        await rm(opened.directory, { recursive: true })
      }
    },
  }
}

/** Copies a migrated database into a directory, so that a store that is opened there has nothing to migrate. */
export const copyMigrated = (directory: string): Promise<void> =>
  copyFile(inject('migratedFile'), join(directory, DATABASE_FILE))

async function open(): Promise<Opened> {
  // In the directory of the test run, which is removed at its end.
  const directory = await mkdtemp(join(inject('runDirectory'), 'store-'))
  await copyMigrated(directory)
  return { directory, store: await openStore({ directory, logger: errorLogger }) }
}

/** Returns false if the test left a store that no other can use. */
async function restore({ store, directory }: Opened): Promise<boolean> {
  try {
    await store.check()
    emptySqlite(directory)
    const others = (await readdir(directory)).filter((name) => !name.startsWith(DATABASE_FILE) && name !== LOCK_FILE)
    await Promise.all(others.map((name) => rm(join(directory, name), { recursive: true })))
    return true
  } catch {
    return false
  }
}

/** The store for one borrower: after `close`, which waits for its calls, nothing of it can reach the rows of the next. */
function lent(store: Store): Store {
  const pending = new Set<Promise<unknown>>()
  let closed = false

  const call =
    (owner: object, method: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      if (closed) return Promise.reject(new MayflyError('store_unavailable', 'The store is closed'))
      const result = method.apply(owner, args)
      if (!(result instanceof Promise)) return result
      pending.add(result)
      const ended = (): void => void pending.delete(result)
      result.then(ended, ended)
      return result
    }
  // Copies, because tests replace methods.
  const guarded = (owner: object): object =>
    Object.fromEntries(
      Object.entries(owner).map(([name, value]: [string, unknown]) => {
        if (typeof value === 'function') return [name, call(owner, value as () => unknown)]
        return [name, typeof value === 'object' && value !== null && name !== 'channel' ? guarded(value) : value]
      }),
    )

  return {
    ...(guarded(store) as Store),
    async close() {
      closed = true
      await Promise.allSettled(pending)
    },
  }
}
