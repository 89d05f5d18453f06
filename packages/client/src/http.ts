import { MayflyError } from './errors.ts'
import type { Problem } from './types.ts'

export interface ServiceOptions {
  /** The URL of the service. Default: the environment variable `MAYFLY_PUBLIC_URL`, or else `http://localhost:3000`. */
  url?: string
  /** An API key of a Premium subscription, with higher limits. */
  apiKey?: string
  /** A replacement for the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

export interface RequestOptions {
  method?: string
  query?: Record<string, string | number | readonly string[] | undefined>
  body?: object
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  secret?: string | undefined
}

/** Tries again after 429 at most this often. The service says how long to wait. */
const LIMITED_TRIES = 5

const environment = (): Record<string, string | undefined> =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {}

/** Sends requests to one service. */
export class Service {
  readonly url: string
  readonly #apiKey: string | undefined
  readonly #fetch: typeof globalThis.fetch

  constructor({ url, apiKey, fetch = globalThis.fetch }: ServiceOptions = {}) {
    this.url = (url ?? environment().MAYFLY_PUBLIC_URL ?? 'http://localhost:3000').replace(/\/+$/, '')
    this.#apiKey = apiKey
    // Browsers refuse a `fetch` that is called as a method of another object.
    this.#fetch = (...args) => fetch(...args)
  }

  /** Returns the response if its status is 2xx. Throws `MayflyError` otherwise. Waits and repeats after 429. */
  async request(path: string, { method = 'GET', query = {}, body, headers, signal, secret }: RequestOptions = {}) {
    const target = new URL(`${this.url}/api/v1${path}`)
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue
      for (const each of Array.isArray(value) ? value : [value]) target.searchParams.append(name, String(each))
    }
    for (let tries = 1; ; tries++) {
      const response = await this.#fetch(target, {
        method,
        headers: {
          ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
          ...(this.#apiKey === undefined ? {} : { 'x-api-key': this.#apiKey }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        // The secret is in a header. Cookies of a page must not decide which inbox this is.
        credentials: 'omit',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      })
      if (response.ok) return response
      const error = await problemOf(response)
      if (response.status !== 429 || tries === LIMITED_TRIES) throw error
      await pause(Number(response.headers.get('retry-after') ?? 1) * 1000, signal)
    }
  }

  async json<T>(path: string, options?: RequestOptions): Promise<T> {
    return (await this.request(path, options)).json() as Promise<T>
  }
}

async function problemOf(response: Response): Promise<MayflyError> {
  const { status } = response
  const text = await response.text()
  try {
    const problem = JSON.parse(text) as Problem
    if (typeof problem.code === 'string') return new MayflyError(problem)
  } catch {
    // Reported below.
  }
  // A proxy in front of the service has responded, or another server.
  return new MayflyError({
    type: 'about:blank',
    title: text.slice(0, 200) || response.statusText,
    status,
    code: 'http',
  })
}

/** Resolves after `milliseconds`. Rejects with the reason of `signal` if it aborts earlier. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
