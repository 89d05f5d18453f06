import { type BinaryLike, scrypt } from 'node:crypto'
import { MayflyError } from '#core/errors.ts'
import { createSlots, type SlotsOptions } from '#lib/slots.ts'

/** Derives a key from a password and a salt. Throws `unavailable` if too many calls are waiting. */
export type StretchKey = (password: string, salt: BinaryLike) => Promise<Buffer>

/** OWASP, Password Storage Cheat Sheet: scrypt with 32 MiB. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
const KEY_BYTES = 32

/**
 * Runs scrypt (RFC 7914) outside the main thread, few at once, so that logins use neither all memory nor all of libuv's
 * four threads.
 */
export function createKeyStretching(limits: Omit<SlotsOptions, 'refusal'>): StretchKey {
  const slots = createSlots({
    ...limits,
    refusal: () => new MayflyError('unavailable', 'Too many logins at the moment'),
  })
  return (password, salt) =>
    slots.run(
      () =>
        new Promise<Buffer>((resolve, reject) =>
          // Equal characters may be encoded differently on two keyboards.
          scrypt(password.normalize('NFKC'), salt, KEY_BYTES, SCRYPT, (error, key) =>
            error ? reject(error) : resolve(key),
          ),
        ),
    )
}
