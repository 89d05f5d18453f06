import { MayflyError } from './errors.ts'
import { namesOf } from './names.ts'
import type { Problem } from './types.ts'

export interface ServiceOptions {
  /** The URL of the service. Default: the environment variable `MAYFLY_PUBLIC_URL`, or else `http://localhost:3000`. */
  url?: string
  /** An API key of a Premium subscription, with higher limits. */
  apiKey?: string
  /** A replacement for the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

export const SERVICE_OPTIONS = namesOf<ServiceOptions>({ url: true, apiKey: true, fetch: true })

interface RequestOptions {
  method?: string
  /** Without the parameters that have no value. In JavaScript, that may be null. */
  query?: Record<string, string | number | readonly string[] | null | undefined>
  body?: object
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  secret?: string | undefined
  /** The most attempts while the service responds with 429. Default: 5. */
  maxTries?: number
}

const MAX_TRIES = 5

const environment = (): Record<string, string | undefined> =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {}

/** Returns the URL without slashes at its end. Throws a `TypeError` that names a wrong one and where it is from. */
function serviceUrl(given: string | undefined): string {
  const inEnvironment = environment().MAYFLY_PUBLIC_URL || undefined
  const url = given ?? inEnvironment ?? 'http://localhost:3000'
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    const name = given === undefined ? 'MAYFLY_PUBLIC_URL' : 'url'
    throw new TypeError(
      `\`${name}\` is ${JSON.stringify(url)}; expected an http or https URL, such as http://localhost:3000`,
    )
  }
  return url.replace(/\/+$/, '')
}

/**
 * Returns why no service responded, such as `connect ECONNREFUSED 127.0.0.1:3000`, if that is what an error of this package
 * says.
 */
export function noResponseReason(error: unknown): string | undefined {
  if (!(error instanceof TypeError && error.cause instanceof Error)) return undefined
  // The cause is the error of `fetch`, whose cause has the reason. If it tried several addresses, that has no message.
  const { message, code } = (error.cause.cause ?? error.cause) as Error & { code?: string }
  return message || code
}

/** Whether no service responded, or not to the end. */
export const isUnanswered = (error: unknown): boolean => (error as Partial<Error> | undefined)?.name === 'TypeError'

/** What Node says of a connection that was there. Browsers don't tell the reason. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Whether the connection of a request broke after it was made. */
export function wasConnected(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (BROKEN.has((each as { code?: string }).code ?? '')) return true
  return false
}

/** Sends requests to one service. */
export class Service {
  readonly url: string
  readonly #apiKey: string | undefined
  readonly #fetch: typeof globalThis.fetch

  constructor({ url, apiKey, fetch = globalThis.fetch }: ServiceOptions = {}) {
    this.url = serviceUrl(url)
    // Secrets of CI are empty in pull requests from forks.
    this.#apiKey = apiKey || undefined
    // Browsers refuse a `fetch` that is called as a method of another object.
    this.#fetch = (...args) => fetch(...args)
  }

  /**
   * Returns the response if its status is 2xx. Throws `MayflyError` otherwise, and a `TypeError` if there is no response.
   * After 429 it waits as long as the service says, and tries again.
   */
  async request(
    path: string,
    { method = 'GET', query = {}, body, headers, signal, secret, maxTries = MAX_TRIES }: RequestOptions = {},
  ) {
    const target = new URL(`${this.url}/api/v1${path}`)
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined || value === null) continue
      for (const each of Array.isArray(value) ? value : [value]) target.searchParams.append(name, String(each))
    }
    const request: RequestInit = {
      method,
      // Made here, so that a secret that no header can contain is an error of its own.
      headers: new Headers({
        ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
        ...(this.#apiKey === undefined ? {} : { 'x-api-key': this.#apiKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      }),
      // The secret is in a header. Cookies of a page must not decide which inbox this is.
      credentials: 'omit',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }
    for (let tries = 1; ; tries++) {
      const response = await this.#fetch(target, request).catch((error: unknown) => {
        // `fetch` rejects with the reason of the signal, or with a TypeError that does not name the URL.
        if (signal?.aborted || !isUnanswered(error)) throw error
        throw new TypeError(
          `No service responds at ${this.url}. Start one with \`mayfly start\`, or name another with \`url\`.`,
          { cause: error },
        )
      })
      if (response.ok) return response
      const error = await problemOf(response)
      if (error.retryAfter === undefined || tries >= maxTries) throw error
      await pause(error.retryAfter * 1000, signal)
    }
  }

  async json<T>(path: string, options?: RequestOptions): Promise<T> {
    return (await this.request(path, options)).json() as Promise<T>
  }
}

async function problemOf(response: Response): Promise<MayflyError> {
  const { status } = response
  const retryAfter = status === 429 ? secondsOf(response.headers.get('retry-after')) : undefined
  const text = await response.text()
  try {
    const problem = JSON.parse(text) as Problem
    if (typeof problem.code === 'string') return new MayflyError(problem, retryAfter)
  } catch {
    // Reported below.
  }
  // A proxy in front of the service has responded, or another server.
  const title = text.slice(0, 200) || response.statusText
  return new MayflyError({ type: 'about:blank', title, status, code: 'http' }, retryAfter)
}

/** The three formats of dates in HTTP (RFC 9110 5.6.7). `Date.parse` alone would also accept `1.5` and `May 1`. */
const DATE =
  /^(?:[a-z]{3}, \d\d [a-z]{3} \d{4} [\d:]{8} GMT|[a-z]{6,9}, \d\d-[a-z]{3}-\d\d [\d:]{8} GMT|[a-z]{3} [a-z]{3} [ \d]\d [\d:]{8} \d{4})$/i

/**
 * Returns the seconds of `Retry-After`, a whole number or a date (RFC 9110 10.2.3), 0 for a date in the past. Without a valid
 * value: 1.
 */
function secondsOf(value: string | null): number {
  if (value !== null && /^\d+$/.test(value)) return Number(value)
  if (value === null || !DATE.test(value)) return 1
  // One of the formats does not say that it is in UTC.
  const seconds = (Date.parse(value.replace(/(?: GMT)?$/i, ' GMT')) - Date.now()) / 1000
  return Number.isNaN(seconds) ? 1 : Math.max(0, seconds)
}

/** Longest delay of setTimeout in milliseconds. A longer one fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1

/** Resolves after `milliseconds`, at most 24 days. Rejects with the reason of `signal` if it aborts earlier. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      },
      Math.min(milliseconds, LONGEST_TIMER),
    )
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
