import type { Plan } from '#core/billing/plan.ts'
import type { ErrorCode } from '#core/errors.ts'
import type { AccountJson } from './account.ts'
import type { AddressJson } from './addresses.ts'
import type { ApiKeyListJson } from './api-keys.ts'
import type { AppsData, ArticleJson, ArticleLinkJson, FaqJson, TextJson } from './content.ts'
import type { DeliveryListJson } from './deliveries.ts'
import type { DomainListJson } from './domains.ts'
import type { ForwardingLogJson, ForwardingsJson } from './forwarding.ts'
import type { KeptAddressJson } from './kept-addresses.ts'
import type { MessageJson, MessageListJson } from './messages.ts'
import type { LimitsJson, OperatorJson } from './operator.ts'
import type { OrderJson } from './orders.ts'
import type { OwnDomainJson } from './own-domains.ts'
import type { ErrorData } from './problems.ts'
import type { WebhookListJson } from './webhooks.ts'

export interface Problem {
  code: ErrorCode
  /** Seconds after which a retry makes sense, if known. */
  retryAfter?: number
}

/** The pages that show the tool with different texts. On one of them, addresses last ten minutes. */
export type Tool = 'home' | 'ten-minute-mail' | 'email-generator'

/** What the home page and its two variants show. */
export interface HomeData {
  tool: Tool
  text: TextJson
  /** Null for a first visitor, or if the address is gone. */
  address: AddressJson | null
  /** The secret that the form without JavaScript sets when it is sent. */
  newSecret: string | null
  /** The visitor's one-day address while this is the ten-minute page. A new address would replace it. */
  other: string | null
  /** True if the visitor's address is gone. */
  ended: boolean
  /** False for crawlers: the page must not create an address automatically. */
  createOnLoad: boolean
  inbox: MessageListJson
  /** The revision of the inbox. The live stream starts here (`?lastEventId=`), so that no change is missed. */
  revision: number
  /** All addresses of a subscriber, to switch between them. Null for everybody else. */
  kept: KeptAddressJson[] | null
  /** What Premium would change about the limits that a visitor may reach. Null if it is not sold. */
  premium: Pick<PlansJson, 'addresses' | 'storageBytes'> | null
  /** The domains on which this visitor can create an address. */
  domains: readonly string[]
  /** Whether messages of the address, or of a new one, are forwarded: not possible, off, waiting for consent, or on. */
  forwarding: 'none' | 'off' | 'waiting' | 'on'
  /** The message of `?message=ID`. Without `html`, which the frame loads. Null if there is none. */
  message: (Omit<MessageJson, 'html'> & { hasHtml: boolean }) | null
  /**
   * What is shown instead of the inbox without JavaScript: the question (`?ask=delete`) before the message or the
   * address is deleted, or what the receiver saw for the address (`?show=deliveries`).
   */
  panel: 'question' | DeliveryListJson | null
}

/** The page to choose another address. `domains` contains all of them, including those that need Premium. */
export interface ChangeData {
  /** The current address; empty for none. */
  address: string
  /** The current address if a new one replaces it. A kept address stays. */
  replaced: AddressJson | null
  newSecret: string
  /** Whether the current address has messages, which are deleted with it. */
  hasMessages: boolean
  /** The addresses that this browser had in the last 30 days, and when it last used them. */
  earlier: readonly { address: string; usedAt: string }[]
  domains: DomainListJson['domains']
  /** Whether the visitor is a subscriber: all domains are available, and a new address is kept. */
  premium: boolean
  /** Domains of the subscriber. */
  own: readonly string[]
}

/** A page to read. */
interface TextData {
  text: TextJson | FaqJson
  /** On the pages about privacy and terms. */
  operator?: OperatorJson
}

/** An operation of the HTTP API, as openapi.json describes it. */
export interface OperationJson {
  id: string
  method: string
  path: string
  /** Names of the fields in the path, the query or the body. */
  parameters: string[]
  statuses: string[]
}

interface ApiData {
  text: TextJson
  operations: OperationJson[]
}

interface ArticlesData {
  text: TextJson
  articles: ArticleLinkJson[]
}

interface ArticleData {
  article: ArticleJson
  more: ArticleLinkJson[]
}

/** The input of a refused form without JavaScript, which is shown again. */
export type Draft = Partial<Record<'name' | 'reason' | 'email' | 'message' | 'plan' | 'years' | 'destination', string>>

/** A form to the operator. `sent`: it was sent without JavaScript, and the page confirms it. */
interface ContactData<Text = TextJson> {
  text: Text
  sent: boolean
  draft?: Draft
}

/** What Premium costs and includes. Prices are amounts of the currency, such as cents. */
export interface PlansJson {
  /** The plans that can be bought here. None without a payment provider. */
  sold: readonly Plan[]
  /** Whether the built-in checkout replaces the providers: no money moves. */
  sandbox: boolean
  /** In percent. 0 if the prices do not mention tax. `added` comes on top of them. */
  tax: { percent: number; added: boolean }
  currency: string
  month: number
  year: number
  /** For each year. */
  cryptoYear: number
  cryptoYearsMax: number
  addresses: number
  storageBytes: number
  /** The largest message that is accepted. */
  messageBytes: number
}

export interface PremiumData {
  text: TextJson
  /** Whom an order is for, and when the paid time ends, unless it is over. Null: the form asks for the email address. */
  account: { id: string; email: string; paidUntil: string | null } | null
  plans: PlansJson
  draft?: Draft
}

/** The sections of the account, each with a URL of its own. */
export type AccountTab = 'addresses' | 'domains' | 'developer' | 'billing'

/** The account of a subscription, or the sign-in form. */
export interface AccountData {
  tab: AccountTab
  /** Null if nobody is signed in. */
  account: AccountJson | null
  addresses: KeptAddressJson[]
  /**
   * The address of `?ask=delete&address=ID`, which is deleted after a question without JavaScript, or of `ask=replace`,
   * which gets a new secret.
   */
  asked: (Pick<KeptAddressJson, 'id' | 'address'> & { ask: 'delete' | 'replace' }) | null
  /** Null except on the tab of this name; `domains`, too. */
  developer: { keys: ApiKeyListJson; webhooks: WebhookListJson } | null
  domains: OwnDomainJson[] | null
  /** The first premium domain; null if there is none. */
  premiumDomain: string | null
  /** Whether the subscriber may have own domains, or has some from earlier. */
  ownDomains: boolean
  /** The same for API keys and webhooks. */
  keysOrWebhooks: boolean
  /** The result of the sign-in link that led here. Null without one. */
  link: LinkJson | null
  /** A link was requested without JavaScript. */
  sent: boolean
}

/**
 * `here`: this browser requested the link, which opens the account of `of`, a masked email address. `elsewhere`: another
 * browser requested it, and is signed in by the code. `over`: used, expired or invalid.
 */
type LinkJson = { state: 'here'; token: string; of: string } | { state: 'elsewhere'; code: string } | { state: 'over' }

/** A fully private address, or the form to create one. The server only knows its name. */
export interface PrivateData {
  /** Null on the page that creates one, and if nobody is signed in. */
  address: PrivateAddressJson | null
  domains: DomainListJson['domains']
  /** Domains of the subscriber. */
  own: readonly string[]
}

export interface PrivateAddressJson extends Pick<KeptAddressJson, 'id' | 'address' | 'label' | 'alive'> {
  /** The revision of the inbox. The live stream starts here. */
  revision: number
}

/** The forwarding of the visitor's address. Everything is null if the browser has no address. */
export interface ForwardingData {
  address: string | null
  lifetime: AddressJson['lifetime'] | null
  /** Destinations with Premium. Null if it is not sold, or if the address already has it. */
  premium: number | null
  forwardings: ForwardingsJson | null
  /** The log of forwarded messages, from `?before=ID` if given. */
  log: ForwardingLogJson | null
  draft?: Draft
}

/**
 * What a destination sees behind the link in a message. Its forms are POSTed to the URL of the page with the token,
 * named like the link, and `action`: `confirm`, `decline` (behind `confirm`), `stop` (behind `stop`) or `never` (behind
 * both).
 */
export interface ForwardedData {
  /** Which link it is. `over` if it no longer works or never did. */
  link: 'confirm' | 'stop' | 'over'
  /** The token of the link. Null if it no longer works. */
  token: string | null
  /** Whether the forwarding still exists. Otherwise `never` is the only possible action. */
  live: boolean
  /** The address whose messages are forwarded. This and the following are null if it is forgotten. */
  address: string | null
  /** The reader's own address. */
  destination: string | null
  /** When the forwarding ends. Null if that is only known after the click, or if it lasts as long as a subscription. */
  until: string | null
  /** For how many days it would run after the click. Null: as long as a subscription, or until `until`. */
  days: number | null
  /** The action that was just performed. */
  done: 'confirmed' | 'declined' | 'never' | 'stopped' | null
}

/** The state of an order; in the sandbox also its checkout. */
interface CheckoutData {
  order: OrderJson
}

/** Offers the visitor's own language, in that language. */
export interface LanguageOfferJson {
  code: string
  text: string
  accept: string
  dismiss: string
}

/** What the layout around every page needs. */
export interface SiteJson {
  /** The language that the visitor prefers to that of the page. Null: that of the page, or none that the site has. */
  offer: LanguageOfferJson | null
  /** Whether the client is a crawler, which gets no error pages. */
  crawler: boolean
  /** The session. Null if nobody is signed in. `active` while the benefits apply. */
  account: { id: string; active: boolean } | null
  /** The most popular articles. */
  popular: Pick<ArticleLinkJson, 'slug' | 'title'>[]
  /** Link targets that the operator set. Null: the site has a page of its own for it. */
  links: Record<'appStore' | 'mobileStore' | 'tempNumber' | 'advertising', string | null>
  limits: LimitsJson
  /** Height in pixels of the two advertising places. 0 if the operator set none, and for subscribers. */
  ads: { top: number; bottom: number }
}

/** What every page gets in addition to its own data. */
interface PageBase {
  /** Code of the language, such as `zh`. */
  lang: string
  /** Path without the language prefix, and the query. */
  path: string
  query: Record<string, string>
  /** Milliseconds since the epoch by the server's clock, so that the browser's first render says the same. */
  renderedAt: number
  site: SiteJson
  /** The input of a refused form without JavaScript. */
  problem: Problem | null
}

/** The pages with their data. */
interface Pages {
  home: HomeData
  change: ChangeData
  text: TextData
  apps: AppsData
  api: ApiData
  articles: ArticlesData
  article: ArticleData
  contact: ContactData
  problem: ContactData<FaqJson>
  premium: PremiumData
  account: AccountData
  checkout: CheckoutData
  private: PrivateData
  forwarding: ForwardingData
  forwarded: ForwardedData
  offline: object
  error: ErrorData
}

/** The response of `{path}/_payload.json`, and what a page is rendered from. */
export type PagePayload = { [Page in keyof Pages]: PageBase & { page: Page; data: Pages[Page] } }[keyof Pages]
