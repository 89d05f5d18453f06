import type { Problem, WaitExplanation } from './types.ts'

/** The service refused a request. */
export class MayflyError extends Error {
  override readonly name: string = 'MayflyError'
  /** The stable code of the problem, such as `address_taken`. */
  readonly code: string
  readonly status: number
  /** After 429: for how many seconds the service refuses further requests. */
  readonly retryAfter: number | undefined

  constructor({ code, status, title, detail }: Problem, retryAfter?: number) {
    super(`${detail ?? title} (${status} ${code})`)
    this.code = code
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** Whether the service said that an address does not exist, or no longer under this secret. */
export const isGone = (error: unknown): boolean => error instanceof MayflyError && error.code === 'unauthorized'

const NO_MATCH = 'No matching message arrived within'
const OPENING = new RegExp(`^${NO_MATCH} \\d+ s\\.`)

/**
 * No matching message arrived in time. The message of the error explains what arrived instead. If the service could not be
 * asked, `cause` has the reason.
 */
export class WaitTimeoutError extends Error {
  override readonly name: string = 'WaitTimeoutError'
  readonly explanation: WaitExplanation | undefined

  constructor(address: string, seconds: number, explanation: WaitExplanation | undefined, cause?: unknown) {
    // The service knows only the last request of the wait, and counts whole seconds.
    const opening = `${NO_MATCH} ${seconds} s.`
    const text = explanation?.text.replace(OPENING, opening) ?? opening
    super(`${address}: ${text}`, cause === undefined ? {} : { cause })
    this.explanation = explanation && { ...explanation, text }
  }
}
