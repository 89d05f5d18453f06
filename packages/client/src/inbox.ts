// Projects without the types of Node have no `Symbol.asyncDispose` otherwise.
/// <reference lib="esnext.disposable" preserve="true" />
import type { MessageChecks } from './checks.ts'
import { CONDITION_NAMES, type MessageConditions, queryOf } from './conditions.ts'
import { isGone } from './errors.ts'
import { inboxEvents } from './events.ts'
import { Service, SERVICE_OPTIONS, type ServiceOptions } from './http.ts'
import { checkNames, namesOf } from './names.ts'
import type { AddressState, Fault, InboxEvent, Message, MessageList, MessageSummary } from './types.ts'
import { waitFor, type WaitOptions } from './wait.ts'

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

const pathOf = (id: string): string => `/messages/${encodeURIComponent(id)}`

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
   * Returns a page of messages, newest first. `wait`: the seconds, 55 at most, to wait for a message if there is none.
   */
  async messages(
    conditions: MessageConditions & { before?: string; wait?: number; signal?: AbortSignal } = {},
  ): Promise<MessageList> {
    checkNames('messages', conditions, [...CONDITION_NAMES, 'before', 'wait', 'signal'])
    const { before, wait, signal, ...rest } = conditions
    return this.#json('/messages', { query: { ...queryOf(rest), before, wait }, signal })
  }

  message(id: string): Promise<Message> {
    return this.#json(pathOf(id))
  }

  /** Returns the message as it was received (RFC 5322). */
  async raw(id: string): Promise<Uint8Array> {
    return this.#bytes(`${pathOf(id)}/raw`)
  }

  async attachment(id: string, index: number): Promise<Uint8Array> {
    return this.#bytes(`${pathOf(id)}/attachments/${index}`)
  }

  /**
   * Checks a message for the developer of the program that sent it: links, HTML that mail clients do not support, size
   * and more. `check` opens the links, except those to unsubscribe and to confirm; `check-all` opens these too.
   */
  async checks(id: string, options: CheckOptions = {}): Promise<MessageChecks> {
    checkNames('checks', options, ['links', 'signal'])
    const { links, signal } = options
    return this.#json(`${pathOf(id)}/checks`, { query: { links }, signal })
  }

  /**
   * Returns the newest matching message, which may have arrived before the call. Throws `WaitTimeoutError`, which
   * explains what arrived instead.
   */
  waitForMessage(options: WaitOptions = {}): Promise<Message> {
    return waitFor(this.#own, { call: 'waitForMessage', options }, ({ id }, _, get) => get(pathOf(id)))
  }

  /** Like `waitForMessage`, but returns a page of all matching messages, newest first, without their content. */
  waitForMessages(options: WaitOptions = {}): Promise<MessageList> {
    return waitFor(this.#own, { call: 'waitForMessages', options }, (_, list) => list)
  }

  /** Like `waitForMessage`, but waits for a message with a one-time code and returns the code. */
  waitForCode(options: WaitOptions = {}): Promise<string> {
    const wait = { call: 'waitForCode', options, contents: ['code' as const] }
    return waitFor(this.#own, wait, ({ code }) => code as string)
  }

  /** Like `waitForMessage`, but waits for a message with a confirmation link and returns the link. */
  waitForLink(options: WaitOptions = {}): Promise<string> {
    const wait = { call: 'waitForLink', options, contents: ['link' as const] }
    return waitFor(this.#own, wait, ({ link }) => link as string)
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
    return this.#json(pathOf(id), { method: 'PATCH', body: { seen } })
  }

  async deleteMessage(id: string): Promise<void> {
    await this.#service.request(pathOf(id), { method: 'DELETE', secret: this.secret })
  }

  async state(): Promise<AddressState> {
    return this.#noted(await this.#json('/address'))
  }

  /** Restarts the lifetime. */
  async extend(): Promise<AddressState> {
    return this.#noted(await this.#json('/address/extend', { method: 'POST' }))
  }

  /**
   * Lets the mail server refuse, delay or cut off messages to this address, in place of earlier faults. An empty list
   * ends them. A service that is not on localhost requires an API key.
   */
  async setFaults(rules: readonly Fault[]): Promise<void> {
    await this.#json('/address/faults', { method: 'PUT', body: { rules } })
  }

  /** Deletes the address and its messages. */
  async delete({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#service.request('/address', { method: 'DELETE', secret: this.secret, signal })
  }

  /** Lets `await using` delete the address at the end of a block, unless it is already gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete().catch((error: unknown) => {
      if (!isGone(error)) throw error
    })
  }

  get #own(): Parameters<typeof waitFor>[0] {
    return { service: this.#service, address: this.address, secret: this.secret }
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
