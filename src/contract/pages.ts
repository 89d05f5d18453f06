import type { Plan } from '#core/billing/plan.ts'
import type { ErrorCode } from '#core/errors.ts'
import type { AccountJson } from './account.ts'
import type { AddressJson } from './addresses.ts'
import type { ArticleJson, ArticleLinkJson, FaqJson, TextJson } from './content.ts'
import type { DomainListJson } from './domains.ts'
import type { ForwardingLogJson, ForwardingsJson } from './forwarding.ts'
import type { KeptAddressJson } from './kept-addresses.ts'
import type { MessageJson, MessageListJson } from './messages.ts'
import type { OrderJson } from './orders.ts'

export interface Problem {
  code: ErrorCode
  /** Seconds until it is worth trying again, where that is known. */
  retryAfter?: number
}

/** The pages that are the tool itself with different words around it; on one of them addresses live for ten minutes. */
export type Tool = 'home' | 'ten-minute-mail' | 'email-generator'

/** What the home page and its two sisters show. */
export interface HomeData {
  tool: Tool
  text: TextJson
  /** Null for a first visitor, and where the address has ended. */
  address: AddressJson | null
  /** What the form without JavaScript replaces the secret of the address with; nothing until it is sent. */
  newSecret: string | null
  /** An address for a day that the visitor has while this is the page for ten minutes: a new one would replace it. */
  other: string | null
  /** True where the visitor had an address that has ended. */
  ended: boolean
  /** False for crawlers: the page must not make an address by itself. */
  createOnLoad: boolean
  inbox: MessageListJson
  /** Where the inbox stands: the live stream begins here (`?lastEventId=`), so that nothing falls in between. */
  revision: number
  /** All addresses of a subscriber, for the switch between them; null for everybody else. */
  kept: KeptAddressJson[] | null
  /** What Premium would change of the limits that a visitor may feel; null where it is not sold. */
  premium: Pick<PlansJson, 'addresses' | 'storageBytes'> | null
  /** Whether mail of the address, or of a new one, goes on: it can't here, it doesn't, a destination was asked, or it does. */
  forwarding: 'none' | 'off' | 'waiting' | 'on'
  /** The message of `?message=ID`; `html` is left out, the frame loads it. Null when there is none. */
  message: (Omit<MessageJson, 'html'> & { hasHtml: boolean }) | null
  /** Whether the page asks (`?ask=delete`) before the message, or else the address, is deleted. */
  deleting: boolean
}

/** The page to choose another address on; `domains` are all, those that need Premium too. */
export interface ChangeData {
  address: AddressJson | null
  domains: DomainListJson['domains']
  /** Whether the visitor is a subscriber: all domains are open, and a new address joins the others. */
  premium: boolean
  /** Domains that the subscriber brought. */
  own: readonly string[]
}

/** A page to read. */
export interface TextData {
  text: TextJson | FaqJson
}

/** A call of the HTTP API, as openapi.json describes it. */
export interface CallJson {
  id: string
  method: string
  path: string
  /** Names of what may be given in the path, the query or the body. */
  parameters: string[]
  statuses: string[]
}

export interface ApiData {
  text: TextJson
  calls: CallJson[]
}

export interface ArticlesData {
  text: TextJson
  articles: ArticleLinkJson[]
}

export interface ArticleData {
  article: ArticleJson
  more: ArticleLinkJson[]
}

/** What a form without JavaScript brought that was refused: it comes back filled in. */
export type Draft = Partial<Record<'name' | 'reason' | 'email' | 'message' | 'plan' | 'years' | 'destination', string>>

/** A form that writes to the operator. `sent`: it was sent without JavaScript, and the page says so. */
export interface ContactData {
  text: TextJson
  sent: boolean
  draft?: Draft
}

export interface ProblemData {
  text: FaqJson
  sent: boolean
  draft?: Draft
}

/** What Premium costs and gives. Prices are in the smallest unit of the currency, such as cents. */
export interface PlansJson {
  /** Which of them can be bought here; none where nobody takes money. */
  sold: readonly Plan[]
  /** Whether the built-in checkout stands in for the providers: no money moves. */
  sandbox: boolean
  /** In per cent, 0 where the prices say nothing of it; `added` comes on top of them. */
  tax: { percent: number; added: boolean }
  currency: string
  month: number
  year: number
  /** For each year. */
  cryptoYear: number
  cryptoYearsMax: number
  addresses: number
  storageBytes: number
}

export interface PremiumData {
  text: TextJson
  plans: PlansJson
  draft?: Draft
}

/** The account of a subscription, or the way to sign in. */
export interface AccountData {
  /** Null where nobody is signed in. */
  account: AccountJson | null
  addresses: KeptAddressJson[]
  /** What became of the sign-in link that led here; null where none did. */
  link: LinkJson | null
  /** A link was asked for without JavaScript. */
  sent: boolean
}

/**
 * `here`: this browser asked for the link, which opens the account of `of`, an email with most of it left out. `elsewhere`:
 * another browser did, and is signed in by the code. `over`: used, too old, or never made.
 */
export type LinkJson =
  | { state: 'here'; token: string; of: string }
  | { state: 'elsewhere'; code: string }
  | { state: 'over' }

/** A fully private address, or the way to one. What the server knows of it is its name. */
export interface PrivateData {
  /** Null on the page that makes one, and for who is not signed in. */
  address: PrivateAddressJson | null
  domains: DomainListJson['domains']
  /** Domains that the subscriber brought. */
  own: readonly string[]
}

export interface PrivateAddressJson extends Pick<KeptAddressJson, 'id' | 'address' | 'label' | 'alive'> {
  /** Where the inbox stands: the live stream begins here. */
  revision: number
}

/** Where mail of the visitor's address goes on to. All of it is null where the browser has no address. */
export interface ForwardingData {
  address: string | null
  lifetime: AddressJson['lifetime'] | null
  /** Destinations that Premium would give; null where it is not sold, or the address has them. */
  premium: number | null
  forwardings: ForwardingsJson | null
  /** What was forwarded, from `?before=ID` on where that is asked for. */
  log: ForwardingLogJson | null
  draft?: Draft
}

/**
 * What a destination sees behind the link of a mail. Its forms are POSTed to the URL of the page with the token, named like the
 * link, and `action`: `confirm`, `decline` (behind `confirm`), `stop` (behind `stop`) or `never` (behind both).
 */
export interface ForwardedData {
  /** Which link it is; `over` where it works no more, or never did. */
  link: 'confirm' | 'stop' | 'over'
  /** Of the link; null where it is over. */
  token: string | null
  /** Whether there still is what the link asks about. Where not, `never` is all that can be done. */
  live: boolean
  /** Whose mail it is; null, as what follows, where that is forgotten. */
  address: string | null
  /** The reader's own address. */
  destination: string | null
  /** When it ends by itself; null where that isn't known before the click, or it goes on as long as a subscription. */
  until: string | null
  /** How long it would go on after the click; null: as long as a subscription, or until `until`. */
  days: number | null
  /** What was just done. */
  done: 'confirmed' | 'declined' | 'never' | 'stopped' | null
}

/** How an order stands; in the sandbox also its checkout. */
export interface CheckoutData {
  order: OrderJson
}

/** What the frame around every page needs to know. */
export interface SiteJson {
  /** Whether a crawler asks, which is shown no errors (SPEC 8). */
  crawler: boolean
  /** Whose session it is: null for who is not signed in; `active` while there are benefits. */
  account: { active: boolean } | null
  /** The most asked for articles. */
  popular: Pick<ArticleLinkJson, 'slug' | 'title'>[]
  /** Addresses that the operator set; null: the site has a page of its own for it. */
  links: Record<'appStore' | 'mobileStore' | 'tempNumber' | 'advertising', string | null>
  /** Height in pixels of the two places for advertising; 0 where the operator put nothing there, and for subscribers. */
  ads: { top: number; bottom: number }
}

export interface ErrorData {
  status: number
  /** In English; of 404 with the path as it was asked for, after a colon. */
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
  site: SiteJson
  /** A form without JavaScript that was refused comes back with this. */
  problem: Problem | null
}

/** The answer of `{path}/_payload.json`, and what a page is rendered from. */
export type PagePayload =
  | (PageBase & { page: 'home'; data: HomeData })
  | (PageBase & { page: 'change'; data: ChangeData })
  | (PageBase & { page: 'text'; data: TextData })
  | (PageBase & { page: 'api'; data: ApiData })
  | (PageBase & { page: 'articles'; data: ArticlesData })
  | (PageBase & { page: 'article'; data: ArticleData })
  | (PageBase & { page: 'contact'; data: ContactData })
  | (PageBase & { page: 'problem'; data: ProblemData })
  | (PageBase & { page: 'premium'; data: PremiumData })
  | (PageBase & { page: 'account'; data: AccountData })
  | (PageBase & { page: 'checkout'; data: CheckoutData })
  | (PageBase & { page: 'private'; data: PrivateData })
  | (PageBase & { page: 'forwarding'; data: ForwardingData })
  | (PageBase & { page: 'forwarded'; data: ForwardedData })
  | (PageBase & { page: 'offline'; data: object })
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
