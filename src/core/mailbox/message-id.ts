import type { MessageId } from '../ids.ts'
import type { Clock } from '../time.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_LENGTH = 10
const RANDOM_LENGTH = 16
/** How many of the random digits a random step changes. */
const STEP_LENGTH = 8

/** Returns a new id. With `after`, an id that sorts after that one, at least `ahead` milliseconds later. */
export type NewMessageId = (behind?: { after: MessageId; ahead: number }) => MessageId

/**
 * Creates a generator of message ids: ULIDs in lower case (48 bits of milliseconds, 80 random bits), 26 characters that
 * sort by time of arrival. The ids of one generator never decrease, even if the clock goes back.
 */
export function messageIds(clock: Clock, randomBytes: (size: number) => Uint8Array): NewMessageId {
  let lastTime = 0
  let lastRandom = new Uint8Array(RANDOM_LENGTH)
  return (behind) => {
    if (behind) {
      const { after, ahead } = behind
      const next = idAfter(encodeTime(timeOf(after) + ahead) + after.slice(TIME_LENGTH), randomBytes)
      if (next > encodeTime(lastTime) + text(lastRandom)) {
        lastTime = timeOf(next)
        lastRandom = Uint8Array.from(next.slice(TIME_LENGTH), (digit) => ALPHABET.indexOf(digit))
        if (clock() <= lastTime) return next
      }
    }
    const now = clock()
    if (now > lastTime) {
      lastTime = now
      lastRandom = randomBytes(RANDOM_LENGTH).map((byte) => byte & 31)
      // Leaves room to increment within a millisecond.
      lastRandom[0] = (lastRandom[0] ?? 0) & 15
    } else {
      increment(lastRandom)
    }
    return encodeTime(lastTime) + text(lastRandom)
  }
}

const text = (digits: Uint8Array): string => Array.from(digits, (digit) => ALPHABET[digit]).join('')

/** Returns an id that sorts after this one and that no other generator creates: a random step of up to 2^40 further. */
export function idAfter(id: MessageId, randomBytes: (size: number) => Uint8Array): MessageId {
  const digits = Uint8Array.from(id, (digit) => ALPHABET.indexOf(digit))
  const step = randomBytes(STEP_LENGTH).map((byte) => byte & 31)
  let carry = 1
  for (let i = digits.length - 1; i >= 0; i--) {
    const sum = (digits[i] ?? 0) + (step[i - digits.length + STEP_LENGTH] ?? 0) + carry
    digits[i] = sum & 31
    carry = sum >> 5
  }
  return text(digits)
}

/** Whether a string has the shape of a message id. */
export function isMessageId(value: string): boolean {
  return /^[0-9a-hjkmnp-tv-z]{26}$/.test(value)
}

/** Returns when a message with this id arrived, in milliseconds since the epoch. */
export function timeOf(id: MessageId): number {
  return Array.from(id.slice(0, TIME_LENGTH)).reduce((time, digit) => time * 32 + ALPHABET.indexOf(digit), 0)
}

function encodeTime(time: number): string {
  let rest = time
  let digits = ''
  for (let i = 0; i < TIME_LENGTH; i++) {
    digits = (ALPHABET[rest % 32] ?? '') + digits
    rest = Math.floor(rest / 32)
  }
  return digits
}

function increment(digits: Uint8Array): void {
  for (let i = digits.length - 1; i >= 0; i--) {
    const digit = (digits[i] ?? 0) + 1
    digits[i] = digit & 31
    if (digit < 32) return
  }
}
