import type { Route } from './driver.ts'
import type { Thread } from './thread.ts'

/**
 * Routes jobs to the writer. A caller can get exclusive access, so that no other statement runs in its open
 * transaction.
 */
export function exclusively(thread: Thread): Route {
  let exclusiveUse: Promise<void> | undefined
  return {
    async run(mode, statements) {
      while (exclusiveUse) await exclusiveUse
      return thread.run(mode, statements)
    },
    async exclusive() {
      while (exclusiveUse) await exclusiveUse
      const { promise, resolve } = Promise.withResolvers<void>()
      exclusiveUse = promise
      const release = (): void => {
        exclusiveUse = undefined
        resolve()
      }
      return { run: thread.run, release }
    },
  }
}

/** Routes each job to the thread with the fewest pending jobs. */
export function balanced(threads: readonly Thread[]): Route {
  return {
    run(mode, statements) {
      const [first, ...rest] = threads
      if (!first) throw new Error('There are no reader threads')
      return rest.reduce((least, each) => (each.pending < least.pending ? each : least), first).run(mode, statements)
    },
    exclusive: () => Promise.reject(new Error('Readers have no transactions; use a snapshot')),
  }
}
