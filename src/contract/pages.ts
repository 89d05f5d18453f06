import type { ErrorCode } from '#core/errors.ts'
import type { AddressJson } from './addresses.ts'
import type { DomainListJson } from './domains.ts'
import type { MessageJson, MessageListJson } from './messages.ts'

export interface Problem {
  code: ErrorCode
  /** Seconds until it is worth trying again, where that is known. */
  retryAfter?: number
}

/** What the home page shows. */
export interface HomeData {
  /** Null for a first visitor, and where the address has ended. */
  address: AddressJson | null
  /** True where the visitor had an address that has ended. */
  ended: boolean
  /** False for crawlers: the page must not make an address by itself. */
  createOnLoad: boolean
  inbox: MessageListJson
  /** Where the inbox stands: the live stream begins here (`?lastEventId=`), so that nothing falls in between. */
  revision: number
  /** The message of `?message=ID`; `html` is left out, the frame loads it. Null when there is none. */
  message: (Omit<MessageJson, 'html'> & { hasHtml: boolean }) | null
}

/** The page to choose another address on. */
export interface ChangeData {
  address: AddressJson | null
  domains: DomainListJson['domains']
}

export interface ErrorData {
  status: number
  message: string
  description: string
}

/** What every page gets, beside its own data. */
interface PageBase {
  /** Code of the language, such as `zh`. */
  lang: string
  /** Path without the language prefix, and the query. */
  path: string
  query: Record<string, string>
  /** Milliseconds since the epoch: the server's clock, so that the first render of the browser says the same. */
  renderedAt: number
  /** A form without JavaScript that was refused comes back with this. */
  problem: Problem | null
}

/** The answer of `{path}/_payload.json`, and what a page is rendered from. */
export type PagePayload =
  | (PageBase & { page: 'home'; data: HomeData })
  | (PageBase & { page: 'change'; data: ChangeData })
  | (PageBase & { page: 'error'; data: ErrorData })

/** What the server's entry of the web build answers. */
export interface RenderedPage {
  status: number
  html: string
}

/** The server's entry of the web build exports this as `render`. */
export type RenderPage = (payload: PagePayload, context: RenderContext) => Promise<RenderedPage>

export interface RenderContext {
  /** Such as `https://mayfly.example`, without a slash at the end. */
  publicUrl: string
}
