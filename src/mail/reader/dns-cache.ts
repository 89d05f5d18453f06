import { LRUCache } from 'lru-cache'

/** Looks up records of a type. Rejects like `Resolver.resolve` of `node:dns`. */
export type Resolve = (name: string, type: string) => Promise<unknown>

interface DnsCacheOptions {
  /**
   * How long an answer is kept, in milliseconds. `node:dns` does not report the time to live of TXT records, so this is
   * shorter than what domains choose.
   */
  time: number
  /** The maximum size of all names and answers together, in characters. */
  maxSize: number
  /** Milliseconds, monotonic. */
  now?: () => number
}

type Answer = { records: unknown } | { error: unknown }

/** Errors that are answers: the name does not exist, has no such record, or is not a valid name. */
const NO_RECORDS: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** Returns whether a look-up failed because there are no such records, not because of a name server. */
export const hasNoRecords = (error: unknown): boolean => NO_RECORDS.has((error as NodeJS.ErrnoException).code)

/**
 * Returns a look-up that keeps answers, also that there are no records. Concurrent look-ups of the same records share
 * one query. Failures of name servers are not kept.
 */
export function createDnsCache(resolve: Resolve, { time, maxSize, now = () => performance.now() }: DnsCacheOptions) {
  const answers = new LRUCache<string, Answer, [name: string, type: string]>({
    ttl: time,
    ttlResolution: 0,
    maxSize,
    sizeCalculation: (answer, key) => key.length + ('records' in answer ? JSON.stringify(answer.records).length : 1),
    perf: { now },
    // A look-up that is evicted before it ends still has callers that wait for it.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _previous, { context: [name, type] }): Promise<Answer> => {
      try {
        return { records: await resolve(name, type) }
      } catch (error) {
        if (hasNoRecords(error)) return { error }
        throw error
      }
    },
  })

  return async (name: string, type: string): Promise<unknown> => {
    const answer = await answers.forceFetch(`${type} ${name.toLowerCase()}`, { context: [name, type] })
    if ('error' in answer) throw answer.error
    return answer.records
  }
}
