import { type Contents, CONDITION_NAMES, listOf, type MessageConditions, queryOf } from './conditions.ts'
import { MayflyError, WaitTimeoutError } from './errors.ts'
import { isUnanswered, pause, type Service, wasConnected } from './http.ts'
import { checkNames } from './names.ts'
import type { MessageList, MessageSummary, WaitExplanation } from './types.ts'

export interface WaitOptions extends MessageConditions {
  /** Milliseconds. Default: 30,000. */
  timeout?: number
  signal?: AbortSignal
}

const DEFAULT_TIMEOUT = 30_000
/** How long the service holds a request, in seconds. Proxies give up one without a response after 30 to 60 seconds. */
const HOLD_MAX = 25
/** Statuses while the service or its database restarts. */
const PASSING = new Set([502, 503, 504])
/** The shortest pause before the next try, in milliseconds. */
const PAUSE_MIN = 1000
/** Milliseconds after the end of a hold or wait in which the service may still respond. */
const GRACE = 3000

/** A request that a wait gave up. */
class LateError extends Error {}

/** Sends a request of a wait. */
type Get = <T>(path: string) => Promise<T>

/** Whether a request that failed like this may succeed a little later. */
function isPassing(error: unknown, isThere: boolean): boolean {
  if (error instanceof MayflyError)
    return error.retryAfter !== undefined || PASSING.has(error.status) || isDeleted(error)
  // A service that was never started is named at once.
  return error instanceof LateError || (isUnanswered(error) && (isThere || wasConnected(error)))
}

/** Whether a message was deleted after the list had it. */
const isDeleted = (error: MayflyError): boolean => error.code === 'message_not_found'

/**
 * Returns what `finish` makes of the newest matching message and the page of the list that begins with it. All requests
 * share the timeout and the signal, and are repeated together while the service restarts or does not respond. Throws
 * `WaitTimeoutError` at the end, or immediately what says that there never was a service.
 */
export async function waitFor<T>(
  { service, address, secret }: { service: Service; address: string; secret: string },
  { call, options, contents = [] }: { call: string; options: WaitOptions; contents?: Contents[] },
  finish: (newest: MessageSummary, list: MessageList, get: Get) => T | Promise<T>,
): Promise<T> {
  checkNames(call, options, [...CONDITION_NAMES, 'timeout', 'signal'])
  const { timeout = DEFAULT_TIMEOUT, signal, ...conditions } = options
  if (typeof timeout !== 'number' || !(timeout >= 0))
    throw new TypeError(`\`timeout\` is ${timeout}; expected 0 or more milliseconds`)
  const deadline = Date.now() + timeout
  const rest = (): number => Math.max(0, deadline - Date.now())
  const query = queryOf({ ...conditions, has: [...listOf(conditions.has), ...contents] })
  const timedOut = (explanation?: WaitExplanation, cause?: unknown): WaitTimeoutError =>
    new WaitTimeoutError(address, timeout / 1000, explanation, cause)

  /** Returns for how many milliseconds a request may take that the service may hold for some seconds. */
  const limitOf = (seconds: number): number => Math.min(deadline - Date.now(), seconds * 1000) + GRACE
  /** Throws `LateError` after `limit` milliseconds. */
  async function get<R>(path: string, limit: number, parameters = {}): Promise<R> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new LateError('The service did not respond')), limit)
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal
    try {
      // Repeated below after 429, because the next request must wait for a shorter time.
      return await service.json<R>(path, { query: parameters, signal: either, secret, maxTries: 1 })
    } catch (error) {
      throw late.signal.aborted && !signal?.aborted ? late.signal.reason : error
    } finally {
      clearTimeout(timer)
    }
  }
  const getContent: Get = (path) => get(path, limitOf(HOLD_MAX))

  let left = timeout
  let isOver = false
  /** Whether there is a service, as far as the client knows. */
  let isThere = false
  for (;;) {
    const wait = Math.min(HOLD_MAX, Math.ceil(left / 1000))
    // The service counts whole seconds, so it may hold the request for longer than what is left.
    const isLonger = wait * 1000 > left
    let explanation: WaitExplanation | undefined
    try {
      const limit = isLonger ? left : limitOf(wait)
      const list = await get<MessageList>('/messages', limit, { ...query, wait })
      isThere = true
      const [newest] = list.messages
      if (newest) return await finish(newest, list, getContent)
      explanation = list.explanation
    } catch (error) {
      if (signal?.aborted || !isPassing(error, isThere)) throw error
      if (isOver || Date.now() > deadline + PAUSE_MIN) throw timedOut(undefined, error)
      const isLate = error instanceof LateError
      const retryAfter = isLate ? 0 : Math.max(PAUSE_MIN, ((error as MayflyError).retryAfter ?? 0) * 1000)
      if (error instanceof MayflyError && !isDeleted(error) && Date.now() + retryAfter > deadline) throw error
      if (retryAfter > 0) await pause(Math.min(retryAfter, rest()), signal)
      // Asks without waiting at the end, for a message that arrived in time, or what arrived instead.
      left = isLate && isLonger ? 0 : rest()
      isOver = left === 0
      isThere = true
      continue
    }
    if (left === 0 || rest() === 0) throw timedOut(explanation)
    left = rest()
  }
}
