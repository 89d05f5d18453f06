import type { DNSResolver } from 'mailauth'
import { hasNoRecords, type Resolve } from './dns-cache.ts'

/** Errors of lookups to which no name server responded. */
const NO_RESPONSE: ReadonlySet<unknown> = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED'])

/** The lookups of one message. A record is looked up once, whoever asks for it. */
export interface MessageDns {
  /** Starts a lookup. */
  ask(name: string, type: string): void
  /** For the keys of signatures. */
  readonly ofSignatures: DNSResolver
  /** For SPF. */
  readonly ofSender: DNSResolver
  /** For DMARC. It has no limit, because nobody but the author chooses these names. */
  readonly ofAuthor: DNSResolver
  /** Whether a name server responded, even if only to say that it failed. */
  answered(): boolean
  /** Whether a name server failed. */
  failed(): boolean
  stop(): void
}

interface Lookup {
  records: Promise<unknown>
  isDone: boolean
}

const errorWith = (code: string): Error => Object.assign(new Error('No time left for this lookup'), { code })

/**
 * The sender of a message chooses the names that SPF and DKIM look up, so name servers that never respond must not use up
 * the time of DMARC. After `patience` milliseconds (default: never) these lookups fail. A key that nobody has asked for
 * until then counts as missing: whether the author has signed must not depend on names that are read late.
 */
export function createMessageDns(lookUpRecords: Resolve, patience?: number): MessageDns {
  const lookups = new Map<string, Lookup>()
  const late = Promise.withResolvers<never>()
  late.promise.catch(() => {})
  let isLate = false
  let answered = false
  let failed = false

  const timer = patience === undefined ? undefined : setTimeout(end, patience)
  function end(): void {
    isLate = true
    late.reject(errorWith('ETIMEOUT'))
  }

  const keyOf = (name: string, type: string): string => `${type} ${name.toLowerCase()}`

  function ask(name: string, type: string): Lookup {
    const known = lookups.get(keyOf(name, type))
    if (known) return known
    const lookup: Lookup = { records: lookUpRecords(name, type), isDone: false }
    lookups.set(keyOf(name, type), lookup)
    lookup.records.then(
      () => {
        lookup.isDone = true
        answered = true
      },
      (error: unknown) => {
        lookup.isDone = true
        failed ||= !hasNoRecords(error)
        answered ||= !NO_RESPONSE.has((error as NodeJS.ErrnoException).code)
      },
    )
    return lookup
  }

  /** `unasked`: the code of the error for a record that nobody has asked for in time. */
  const limited = (unasked: string) => async (name: string, type: string) => {
    if (isLate && !lookups.has(keyOf(name, type))) throw errorWith(unasked)
    const { records, isDone } = ask(name, type)
    return isDone ? records : Promise.race([records, late.promise])
  }

  return {
    ask,
    ofSignatures: limited('ENOTFOUND') as DNSResolver,
    ofSender: limited('ETIMEOUT') as DNSResolver,
    ofAuthor: (async (name: string, type: string) => ask(name, type).records) as DNSResolver,
    answered: () => answered,
    failed: () => failed,
    stop: () => clearTimeout(timer),
  }
}
