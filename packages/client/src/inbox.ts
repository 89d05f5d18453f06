// Projects without the types of Node have no `Symbol.asyncDispose` otherwise.
/// <reference lib="esnext.disposable" preserve="true" />
import type { MessageChecks } from './checks.ts'
import { CONDITION_NAMES, type Contents, listOf, type MessageConditions, queryOf } from './conditions.ts'
import { isGone, MayflyError, WaitTimeoutError } from './errors.ts'
import { inboxEvents } from './events.ts'
import { LONGEST_TIMER, pause, Service, SERVICE_OPTIONS, type ServiceOptions } from './http.ts'
import { checkNames, namesOf } from './names.ts'
import type { AddressState, InboxEvent, Message, MessageList, MessageSummary, WaitExplanation } from './types.ts'

export interface CreateOptions extends ServiceOptions {
  /** The part before the `@`: 3 to 64 of `a-z 0-9 . _ -`. Default: a random one. */
  login?: string
  /** One of the domains of the service. Default: its first free domain. */
  domain?: string
  /** `day`: restarted by every visit; 24 hours unless the operator set another time. `ten-minutes`: fixed. Default: `day`. */
  lifetime?: 'day' | 'ten-minutes'
  /** The secret of an address that has expired or was deleted: only with it the same name can be taken again at once. */
  previousSecret?: string
}

export interface WaitOptions extends MessageConditions {
  /** Milliseconds. Default: 30,000. */
  timeout?: number
  signal?: AbortSignal
}

export interface CheckOptions {
  /** Whether to open the links: `list`, the default, opens none. */
  links?: 'list' | 'check' | 'check-all'
  signal?: AbortSignal
}

const CREATE_NAMES = [
  ...namesOf<Omit<CreateOptions, keyof ServiceOptions>>({
    login: true,
    domain: true,
    lifetime: true,
    previousSecret: true,
  }),
  ...SERVICE_OPTIONS,
]
const DEFAULT_TIMEOUT = 30_000
/** How long the service holds a request, in seconds. Proxies give up one without a response after 30 to 60 seconds. */
const HOLD_MAX = 25
/** Statuses while the service or its database restarts. */
const PASSING = new Set([502, 503, 504])
/** The shortest pause before the next try, in milliseconds. */
const PAUSE_MIN = 1000
/** Milliseconds after the end of a wait in which the service may still respond. */
const GRACE = 3000

/** Creates a new address. */
export async function createInbox(given: CreateOptions = {}): Promise<Inbox> {
  checkNames('createInbox', given, CREATE_NAMES)
  const { login, domain, lifetime, previousSecret, ...options } = given
  const service = new Service(options)
  const { address, secret, expiresAt } = await service.json<
    Pick<AddressState, 'address' | 'expiresAt'> & { secret: string }
  >('/addresses', { method: 'POST', body: { login, domain, lifetime }, secret: previousSecret })
  return new Inbox(service, address, secret, expiresAt)
}

/**
 * Opens an existing address. Throws `MayflyError` with the code `unauthorized` if the secret is not valid. With
 * `address` the service is not asked.
 */
export async function openInbox(
  secret: string,
  { address, ...options }: ServiceOptions & { address?: string } = {},
): Promise<Inbox> {
  checkNames('openInbox', options, ['address', ...SERVICE_OPTIONS])
  const service = new Service(options)
  if (address !== undefined) return new Inbox(service, address, secret)
  const state = await service.json<AddressState>('/address', { secret })
  return new Inbox(service, state.address, secret, state.expiresAt)
}

/**
 * Deletes all inboxes that the API key created, except kept ones. A run of tests that was aborted leaves inboxes, which
 * count until they expire.
 */
export async function deleteInboxes(options: ServiceOptions & { apiKey: string }): Promise<void> {
  checkNames('deleteInboxes', options, SERVICE_OPTIONS)
  await new Service(options).request('/key/addresses', { method: 'DELETE' })
}

/** An address and its messages. */
export class Inbox {
  readonly address: string
  /** The only credential of the address. Whoever has it can read the messages. */
  readonly secret: string
  readonly #service: Service

  #expiresAt: string | undefined

  constructor(service: Service, address: string, secret: string, expiresAt?: string) {
    this.#service = service
    this.#expiresAt = expiresAt
    this.address = address
    this.secret = secret
  }

  /** The page that shows this inbox in a browser. It contains the secret. */
  get url(): string {
    return `${this.#service.url}/en#secret=${this.secret}`
  }

  /** The inbox in logs and reports, without its secret. `expiresAt` is what the service said last, if it was asked. */
  toJSON(): { address: string; expiresAt?: string } {
    return { address: this.address, ...(this.#expiresAt === undefined ? {} : { expiresAt: this.#expiresAt }) }
  }

  /**
   * Returns a page of messages, newest first. `wait`: the seconds, 60 at most, to wait for a message if there is none.
   */
  async messages(conditions: MessageConditions & { before?: string; wait?: number } = {}): Promise<MessageList> {
    checkNames('messages', conditions, [...CONDITION_NAMES, 'before', 'wait'])
    const { before, wait, ...rest } = conditions
    return this.#json('/messages', { query: { ...queryOf(rest), before, wait } })
  }

  message(id: string): Promise<Message> {
    return this.#json(`/messages/${encodeURIComponent(id)}`)
  }

  /** Returns the message as it was received (RFC 5322). */
  async raw(id: string): Promise<Uint8Array> {
    return this.#bytes(`/messages/${encodeURIComponent(id)}/raw`)
  }

  async attachment(id: string, index: number): Promise<Uint8Array> {
    return this.#bytes(`/messages/${encodeURIComponent(id)}/attachments/${index}`)
  }

  /**
   * Checks a message for the developer of the program that sent it: links, HTML that mail clients do not support, size
   * and more. `check` opens the links, except those to unsubscribe and to confirm; `check-all` opens these too.
   */
  async checks(id: string, options: CheckOptions = {}): Promise<MessageChecks> {
    checkNames('checks', options, ['links', 'signal'])
    const { links, signal } = options
    return this.#json(`/messages/${encodeURIComponent(id)}/checks`, { query: { links }, signal })
  }

  /**
   * Returns the newest matching message, which may have arrived before the call. Throws `WaitTimeoutError`, which
   * explains what arrived instead.
   */
  async waitForMessage(options: WaitOptions = {}): Promise<Message> {
    const { id } = await this.#wait('waitForMessage', options)
    return this.message(id)
  }

  /** Like `waitForMessage`, but waits for a message with a one-time code and returns the code. */
  async waitForCode(options: WaitOptions = {}): Promise<string> {
    const { code } = await this.#wait('waitForCode', options, 'code')
    return code as string
  }

  /** Like `waitForMessage`, but waits for a message with a confirmation link and returns the link. */
  async waitForLink(options: WaitOptions = {}): Promise<string> {
    const { link } = await this.#wait('waitForLink', options, 'link')
    return link as string
  }

  /**
   * Connects, and yields what happens from now on, until the loop ends or `signal` aborts. Without a loop, call `return`
   * or use the signal. Reconnects by itself.
   */
  events(options: { signal?: AbortSignal } = {}): AsyncGenerator<InboxEvent> {
    checkNames('events', options, ['signal'])
    return inboxEvents(this.#service, this.secret, options.signal)
  }

  async markSeen(id: string, seen = true): Promise<MessageSummary> {
    return this.#json(`/messages/${encodeURIComponent(id)}`, { method: 'PATCH', body: { seen } })
  }

  async deleteMessage(id: string): Promise<void> {
    await this.#service.request(`/messages/${encodeURIComponent(id)}`, { method: 'DELETE', secret: this.secret })
  }

  async state(): Promise<AddressState> {
    return this.#noted(await this.#json('/address'))
  }

  /** Restarts the lifetime. */
  async extend(): Promise<AddressState> {
    return this.#noted(await this.#json('/address/extend', { method: 'POST' }))
  }

  /** Deletes the address and its messages. */
  async delete(): Promise<void> {
    await this.#service.request('/address', { method: 'DELETE', secret: this.secret })
  }

  /** Lets `await using` delete the address at the end of a block, unless it is already gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete().catch((error: unknown) => {
      if (!isGone(error)) throw error
    })
  }

  async #wait(call: string, options: WaitOptions, ...contents: Contents[]): Promise<MessageSummary> {
    checkNames(call, options, [...CONDITION_NAMES, 'timeout', 'signal'])
    const { timeout = DEFAULT_TIMEOUT, signal, ...conditions } = options
    if (typeof timeout !== 'number' || !(timeout >= 0))
      throw new TypeError(`\`timeout\` is ${timeout}; expected 0 or more milliseconds`)
    const deadline = Date.now() + timeout
    const query = queryOf({ ...conditions, has: [...listOf(conditions.has), ...contents] })
    const timedOut = (explanation?: WaitExplanation, cause?: unknown): WaitTimeoutError =>
      new WaitTimeoutError(this.address, timeout / 1000, explanation, cause)
    let left = timeout
    let isOver = false
    for (;;) {
      const wait = Math.min(HOLD_MAX, Math.ceil(left / 1000))
      // The service counts whole seconds, so it may hold the request for longer than what is left.
      const isLonger = wait * 1000 > left
      const limit = Math.min(isLonger ? left : left + GRACE, LONGEST_TIMER)
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(new Error('The service did not respond')), limit)
      const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal
      let list: MessageList
      try {
        // Repeated here after 429, because the next request must wait for a shorter time.
        list = await this.#json('/messages', { query: { ...query, wait }, signal: either, maxTries: 1 })
      } catch (error) {
        if (late.signal.aborted && !signal?.aborted) {
          if (!isLonger) throw timedOut(undefined, late.signal.reason)
          // Asks without waiting for a message that arrived in time, or what arrived instead.
          left = 0
          isOver = true
          continue
        }
        if (!(error instanceof MayflyError)) throw error
        if (error.retryAfter === undefined && !PASSING.has(error.status)) throw error
        if (isOver) throw timedOut(undefined, error)
        const retryAfter = Math.max(PAUSE_MIN, (error.retryAfter ?? 0) * 1000)
        if (Date.now() + retryAfter > deadline) throw error
        await pause(retryAfter, signal)
        left = Math.max(0, deadline - Date.now())
        continue
      } finally {
        clearTimeout(timer)
      }
      const { messages, explanation } = list
      const [newest] = messages
      if (newest) return newest
      if (left === 0 || Date.now() >= deadline) throw timedOut(explanation)
      left = Math.max(0, deadline - Date.now())
    }
  }

  #noted(state: AddressState): AddressState {
    this.#expiresAt = state.expiresAt
    return state
  }

  #json<T>(path: string, options: Parameters<Service['json']>[1] = {}): Promise<T> {
    return this.#service.json(path, { ...options, secret: this.secret })
  }

  async #bytes(path: string): Promise<Uint8Array> {
    const response = await this.#service.request(path, { secret: this.secret })
    return new Uint8Array(await response.arrayBuffer())
  }
}
