import type { Route } from './driver.ts'
import type { Thread } from './thread.ts'

/**
 * Routes jobs to the writer. A caller can get exclusive access, so that no other statement runs in its open
 * transaction.
 */
export function exclusively(thread: Thread): Route {
  let turn: Promise<void> | undefined
  return {
    async run(mode, statements) {
      while (turn) await turn
      return thread.run(mode, statements)
    },
    async exclusive() {
      while (turn) await turn
      const { promise, resolve } = Promise.withResolvers<void>()
      turn = promise
      const release = (): void => {
        turn = undefined
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
      const [first, ...others] = threads
      if (!first) throw new Error('There are no reader threads')
      return others.reduce((least, each) => (each.pending < least.pending ? each : least), first).run(mode, statements)
    },
    exclusive: () => Promise.reject(new Error('Readers have no transactions; use a snapshot')),
  }
}
