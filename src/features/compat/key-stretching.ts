import { type BinaryLike, scrypt } from 'node:crypto'
import { MayflyError } from '#core/errors.ts'

/** Derives a key from a password and a salt. Throws `unavailable` if too many calls are waiting. */
export type StretchKey = (password: string, salt: BinaryLike) => Promise<Buffer>

export interface StretchLimits {
  /** Calls that run at the same time, each with 32 MiB and one of libuv's four threads. */
  atOnce: number
  maxWaiting: number
}

/** OWASP, Password Storage Cheat Sheet: scrypt with 32 MiB. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
const KEY_BYTES = 32

/** Runs scrypt (RFC 7914) outside the main thread, few at once, so that logins use neither all memory nor all cores. */
export function createKeyStretching({ atOnce, maxWaiting }: StretchLimits): StretchKey {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < atOnce) {
      running++
      return
    }
    if (waiting.length >= maxWaiting) throw new MayflyError('unavailable', 'Too many logins at the moment')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  /** Passes the slot on, or frees it. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return async (password, salt) => {
    await enter()
    try {
      return await new Promise<Buffer>((resolve, reject) =>
        // Equal characters may be encoded differently on two keyboards.
        scrypt(password.normalize('NFKC'), salt, KEY_BYTES, SCRYPT, (error, key) =>
          error ? reject(error) : resolve(key),
        ),
      )
    } finally {
      leave()
    }
  }
}
