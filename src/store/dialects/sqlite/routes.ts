import type { Route } from './driver.ts'
import type { Thread } from './thread.ts'

/** Jobs of the writer: one at a time has it alone, and nobody's statements slip into a transaction that is open. */
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

/** Each job goes to the thread that has the least to do. */
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
