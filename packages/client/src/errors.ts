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

const VAIN = 'No matching message arrived within'
const START = new RegExp(`^${VAIN} \\d+ s\\.`)

/**
 * No matching message arrived in time. The message of the error explains what arrived instead. If the service did not say
 * that, `cause` is why.
 */
export class WaitTimeoutError extends Error {
  override readonly name: string = 'WaitTimeoutError'
  readonly explanation: WaitExplanation | undefined

  constructor(address: string, seconds: number, explanation: WaitExplanation | undefined, cause?: unknown) {
    // The service knows only the last request of the wait, and counts whole seconds.
    const text = (explanation?.text ?? `${VAIN} 0 s.`).replace(START, `${VAIN} ${seconds} s.`)
    super(`${address}: ${text}`, cause === undefined ? {} : { cause })
    this.explanation = explanation && { ...explanation, text }
  }
}
