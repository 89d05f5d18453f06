import type { AddressJson, AddressRequestJson, NewAddressJson } from '#contract/addresses.ts'
import type { DeliveryListJson } from '#contract/deliveries.ts'
import type { MessageListJson } from '#contract/messages.ts'
import type { Problem } from '#contract/pages.ts'
import type { ErrorCode } from '#core/errors.ts'
import type { Marks } from '#core/mailbox/message.ts'

/** What can fail without an answer of the server. `offline`: there was no response, or not in time. */
type OwnCode = 'offline' | 'cookies_blocked'

/**
 * How long a request may take in milliseconds, with its response. On a dead connection nothing else ends it for minutes. The
 * server itself waits for up to 40 s for a payment provider.
 */
export const TIMEOUT = 60_000

const timeLimit = (): AbortSignal => AbortSignal.timeout(TIMEOUT)

/** The error of an API call. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly problem: { code: ErrorCode | OwnCode; retryAfter?: number }

  constructor(code: ErrorCode | OwnCode, retryAfter?: number) {
    super(code)
    this.problem = { code, ...(retryAfter === undefined ? {} : { retryAfter }) }
  }
}

export type PageProblem = Problem | ApiError['problem']

/** The problem of any error a call may throw. */
export const problemOf = (error: unknown): ApiError['problem'] =>
  error instanceof ApiError ? error.problem : { code: 'internal' }

/** The address that the page shows; empty for none, undefined on pages that are not about it. */
let shown: string | undefined
export const getShown = (): string | undefined => shown

/** Sets the address that calls are for. The server refuses them if another window has opened another one since. */
export function setShown(address?: string): void {
  shown = address
}

/** The id of the account that the page shows, or an empty string. */
export const shownAccount = (): string => document.querySelector<HTMLElement>('#main')?.dataset.account ?? ''

/** `body` is sent as JSON. */
function contentOf(body: object | undefined): RequestInit {
  const headers = { 'x-account': shownAccount(), ...(shown === undefined ? {} : { 'x-address': shown }) }
  return body
    ? { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    : { headers }
}

/** Throws the error of a lost connection. */
export const lost = (): never => {
  throw new ApiError('offline')
}

export const call = (method: string, path: string, body?: object, more?: RequestInit): Promise<Response> =>
  checked(fetch(`/api/v1${path}`, { method, ...contentOf(body), signal: timeLimit(), ...more }))

/** The response to a request for anything of this site. Throws its problem if it is not OK or was lost. */
export async function checked(request: Promise<Response>): Promise<Response> {
  const response = await request.catch(lost)
  if (response.ok) return response
  const { code } = (await response.json().catch(() => ({}))) as { code?: ErrorCode }
  throw new ApiError(code ?? 'internal', Number(response.headers.get('retry-after')) || undefined)
}

/** The JSON body of a response. */
export const json = async <T>(response: Promise<Response>): Promise<T> =>
  (await response).json().catch(lost) as Promise<T>

/** A JSON file of this site. */
export const fetchJson = (path: string): Promise<unknown> => json(checked(fetch(path, { signal: timeLimit() })))

/** What the owner can do with a message. */
export interface MessageActionsApi {
  mark(id: string, marks: Partial<Marks>): Promise<unknown>
  /** Deletes up to 100 messages. `keepalive`: the request outlives the page. Throws `unauthorized` if the browser no longer opens the address. */
  removeAll(ids: readonly string[], keepalive: boolean): Promise<unknown>
}

/**
 * The calls that change a message, for the inbox below `base`. `address` is that of the messages if `base` doesn't
 * contain it, because another window may have opened another one.
 */
export const messageActionsApi = (base: string, address?: string): MessageActionsApi => ({
  mark: (id: string, marks: Partial<Marks>) => call('PATCH', `${base}/messages/${id}`, marks),
  removeAll: (ids, keepalive) => call('POST', `${base}/messages/delete`, { ids, address }, { keepalive }),
})

let beforeLeaving = async (): Promise<unknown> => undefined

/** Sets the work that `leave` waits for before its call. */
export function onLeave(work: () => Promise<unknown>): void {
  beforeLeaving = work
}

/**
 * Makes a call after which the browser may have another address or none. Before it, the postponed deletions of the current
 * address are carried out.
 */
export async function leave(method: string, path: string, body?: object): Promise<Response> {
  await beforeLeaving()
  return call(method, path, body)
}

export const api = {
  /** For a visitor without an address. One that replaces another is created by `createAddress`. */
  create: (request: AddressRequestJson = {}): Promise<NewAddressJson> =>
    json(leave('POST', '/addresses', { ...request, replace: true })),
  /** The address of this browser, whichever the page shows. */
  address: (): Promise<AddressJson> => json(call('GET', '/address', undefined, { headers: {} })),
  extend: (): Promise<AddressJson> => json(call('POST', '/address/extend')),
  deleteAddress: (): Promise<Response> => leave('DELETE', '/address'),
  messages: (before?: string): Promise<MessageListJson> =>
    json(call('GET', `/messages${before ? `?before=${before}` : ''}`)),
  deliveries: (): Promise<DeliveryListJson> => json(call('GET', '/deliveries')),
  changes: (address: string | undefined) => messageActionsApi('', address),
}
