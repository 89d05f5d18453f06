import { SealError } from './format.ts'

/** Returns what `open` returns, or undefined if it throws a `SealError`, as for a damaged box. */
export function ifIntact<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}
