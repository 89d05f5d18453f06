import { readFileSync } from 'node:fs'
import type { Config } from '#config/table.ts'

/** Descriptors for the database, threads, the relay, webhooks, images, name servers and other short-lived uses. */
const RESERVED = 256
/** If both don't fit, HTTP gets at least this share of the rest. */
const HTTP_PART = 0.25

interface ConnectionShares {
  http: number
  smtp: number
  /** A warning for the operator if it is less than the settings say. */
  warning: string | undefined
}

/**
 * The maximum number of open files and sockets of this process. Infinite if unknown. Node raises it to the hard limit.
 */
export function descriptorLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}

/** Connections that HTTP and SMTP may have open, so that each of them, and the store, always finds a descriptor. */
export function shareDescriptors(
  config: { http: Pick<Config['http'], 'maxConnections' | 'maxStreams'>; smtp: Pick<Config['smtp'], 'maxConnections'> },
  limit = descriptorLimit(),
): ConnectionShares {
  const wanted = {
    http: config.http.maxConnections ?? Math.ceil(config.http.maxStreams * 1.5),
    smtp: config.smtp.maxConnections,
  }
  const room = Math.max(2, limit - RESERVED)
  if (wanted.http + wanted.smtp <= room) return { ...wanted, warning: undefined }
  const http = Math.min(wanted.http, Math.max(room - wanted.smtp, Math.ceil(room * HTTP_PART)))
  const smtp = Math.min(wanted.smtp, room - http)
  const warning =
    `This process may open ${limit} files: HTTP gets ${http} connections instead of ${wanted.http}, SMTP ${smtp} of ` +
    `${wanted.smtp}; raise the limit (ulimit -n, LimitNOFILE) to ${wanted.http + wanted.smtp + RESERVED} or more`
  return { http, smtp, warning }
}
