import { isMessageId } from '#core/mailbox/message-id.ts'
import { DAY } from '#core/time.ts'
import { createMac } from './mac.ts'

/**
 * Return paths of forwarded messages: the Sender Rewriting Scheme in the form that names a database row
 * (Mail::SRS::DB). They are case-insensitive, because a mail system may change the case of a local part.
 */
export interface ReturnPaths {
  /**
   * Returns the local part, `SRS0=mac=day=job`, for a job whose id is a message id. It has 50 octets of at most 64 (RFC
   * 5321 4.5.3.1.1).
   */
  encode(jobId: string, now: number): string
  /** Returns the id of the job. Undefined if the local part was not created here or is too old. */
  decode(localPart: string, now: number): string | undefined
}

/** The alphabet of RFC 4648 6 in lower case. */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
/** Days are counted modulo 1024, which is two digits. */
const DAYS = 32 * 32
/** 16 digits of Base32. */
const MAC_BYTES = 10
const LOCAL_PART = /^srs0=([a-z2-7]{16})=([a-z2-7]{2})=(.{26})$/

function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32.charAt((value >> (bits - 5)) & 31)
    value &= (1 << bits) - 1
  }
  return text
}

const dayOf = (now: number): number => Math.floor(now / DAY) % DAYS

const writeDay = (day: number): string => BASE32.charAt(day >> 5) + BASE32.charAt(day & 31)
const readDay = (text: string): number => BASE32.indexOf(text.charAt(0)) * 32 + BASE32.indexOf(text.charAt(1))

/** `days`: how long a return path is valid, fewer than 1023. */
export function createReturnPaths(serviceKey: Uint8Array, { days }: { days: number }): ReturnPaths {
  const mac = createMac(serviceKey, 'forwarding return path', MAC_BYTES, base32)
  return {
    encode(jobId, now) {
      const text = `${writeDay(dayOf(now))}=${jobId}`
      return `SRS0=${mac.of(text)}=${text}`
    },
    decode(localPart, now) {
      const [, given = '', day = '', jobId = ''] = LOCAL_PART.exec(localPart.toLowerCase()) ?? []
      if (!isMessageId(jobId) || !mac.verify(`${day}=${jobId}`, given)) return undefined
      const age = (dayOf(now) - readDay(day) + DAYS) % DAYS
      // Around midnight the clock of the node that created it may be a day ahead.
      return age <= days || age === DAYS - 1 ? jobId : undefined
    },
  }
}
