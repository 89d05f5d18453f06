import type { Library } from '#content/library.ts'
import type { PagePayload, PlansJson, RenderedPage, SiteJson } from '#contract/pages.ts'
import type { Channel, EventBus } from '#core/events.ts'
import type { Domain } from '#core/mailbox/domain.ts'
import type { Store } from '#core/store.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { Account, AccountErase, AccountExport, ApiKeys, KeptAddresses, SignIn } from '#features/account/index.ts'
import type { Billing, Orders, PlayOutcome } from '#features/billing/index.ts'
import type { ForwardingConsent, Forwardings } from '#features/forwarding/index.ts'
import type {
  Addresses,
  FrameRequest,
  MailFrame,
  Messages,
  OpenAddress,
  RemoteContent,
  Secrets,
} from '#features/mailbox/index.ts'
import type { MtaSts, Support } from '#features/operating/index.ts'
import type { OwnDomains } from '#features/own-domains/index.ts'
import type { PrivateAddresses, PrivateMessages } from '#features/private/index.ts'
import type { Webhooks } from '#features/webhooks/index.ts'

/** Everything that can be set about the web side. Sizes are bytes, times milliseconds unless the name says seconds. */
export interface HttpOptions {
  /** Under which visitors reach the page, without a slash at the end. */
  publicUrl: string
  requestsPerSecond: number
  pagesPerSecond: number
  addressCreateSeconds: number
  addressCreateBurst: number
  /** Forms to the operator: `supportBurst` at once, then one each `supportSeconds`. */
  supportSeconds: number
  supportBurst: number
  /** Other sites that a form may lead to: where orders are paid. */
  checkoutOrigins: readonly string[]
  /** Limits that don't count who sits at this machine: those that the operator did not set. */
  notCountedHere: readonly ('api' | 'pages' | 'creations' | 'streams' | 'paymentCalls')[]
  /** Whether the built-in checkout that moves no money is for who sits at this machine, and for nobody else. */
  sandboxIsLocal: boolean
  /** Orders: `orderBurst` at once, then one each `orderSeconds`. */
  orderSeconds: number
  orderBurst: number
  /** Calls of payment services in a second, and at once, from one client. */
  webhookCallsPerSecond: number
  /** The largest body of a payment service's webhook. */
  maxWebhookBytes: number
  /** Sign-in links: `signInBurst` at once, then one each `signInSeconds`. */
  signInSeconds: number
  signInBurst: number
  /** New destinations of forwarding: `forwardAskBurst` at once, then one each `forwardAskSeconds`. */
  forwardAskSeconds: number
  forwardAskBurst: number
  /** Destinations of forwarding that Premium gives. */
  premiumDestinations: number
  /** Look-ups of own domains: `domainCheckBurst` at once, then one each `domainCheckSeconds`. */
  domainCheckSeconds: number
  domainCheckBurst: number
  /** Requests of one API key in a second, and at once. */
  keyRequestsPerSecond: number
  /** Test calls to webhooks: `webhookTestBurst` at once, then one each `webhookTestSeconds`. */
  webhookTestSeconds: number
  webhookTestBurst: number
  /** The largest body of a form to the operator: its texts may be longer than other requests. */
  maxSupportBytes: number
  maxConnections: number
  maxConnectionsPerClient: number
  maxStreamsPerClient: number
  maxStreams: number
  streamBufferBytes: number
  streamKeepAlive: number
  /** How often an open stream counts as a visit of the owner. */
  streamVisitInterval: number
  maxBodyBytes: number
  /** The largest request of a browser that reads mail itself: a sealed summary, or the addresses of images. */
  maxPrivateBytes: number
  /** Milliseconds in which a request must be there as a whole. */
  requestTimeout: number
  /** Milliseconds that answers under way get at a stop. */
  shutdownGrace: number
  /** IP addresses and networks (CIDR) of proxies whose `X-Forwarded-For` names the client. */
  trustedProxies: readonly string[]
  /** Prices and sizes of Premium, as the pages tell them. */
  plans: PlansJson
  /** Where header and footer lead; null: to a page of the site. */
  links: SiteJson['links']
  /** What the operator put into the two places for advertising: HTML, and its height in pixels. */
  ads: Partial<Record<'top' | 'bottom', { html: string; height: number }>>
  /** Directory of the built client files; undefined while Vite serves them. */
  clientDirectory: string | undefined
}

export interface HttpDeps {
  addresses: Addresses
  keptAddresses: KeptAddresses
  secrets: Pick<Secrets, 'replace'>
  privateAddresses: PrivateAddresses
  privateMessages: PrivateMessages
  messages: Messages
  frame: (open: OpenAddress, id: string, request: FrameRequest) => Promise<MailFrame>
  remoteContent: RemoteContent
  forwardings: Forwardings
  forwardingConsent: ForwardingConsent
  support: Support
  orders: Orders
  billing: Pick<Billing, 'handle'>
  sandbox: PlayOutcome
  signIn: SignIn
  account: Account
  eraseAccount: AccountErase
  exportAccount: AccountExport
  domains: readonly Domain[]
  mtaSts: Pick<MtaSts, 'policyOf'>
  ownDomains: OwnDomains
  apiKeys: ApiKeys
  webhooks: Webhooks
  /** Articles and other texts of the pages. */
  library: Library
  store: Pick<Store, 'check'>
  /** Tells that something changed: an inbox, or who may have it. */
  bus: Pick<EventBus, 'subscribe'>
  /** To the other nodes, for limits that count on all of them together; and the key under which clients go there. */
  channel: Channel
  limitKey: Uint8Array
  metrics: Metrics
  logger: Logger
  clock: Clock
  /** Aborts when a stop has begun: from then on `/readyz` says 503, so that load balancers send nobody new. */
  draining: AbortSignal
  render: (payload: PagePayload) => Promise<RenderedPage>
  /** Codes of the languages, the unprefixed one first. */
  languages: readonly string[]
}
