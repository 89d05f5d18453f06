import type { Figures } from '#content/figures.ts'
import type { Library } from '#content/library.ts'
import type { OperatorJson } from '#contract/operator.ts'
import type { PagePayload, PlansJson, SiteJson } from '#contract/pages.ts'
import type { ManifestTexts, OfferTexts, RenderContext, RenderedPage } from '#contract/render.ts'
import type { Channel, EventBus } from '#core/events.ts'
import type { Domain } from '#core/mailbox/domain.ts'
import type { Lifetime } from '#core/mailbox/lifetime.ts'
import type { Store } from '#core/store.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type {
  Account,
  AccountExport,
  ApiKeys,
  DeleteAccount,
  KeptAddresses,
  PaidSignIn,
  SignIn,
} from '#features/account/index.ts'
import type { Billing, Orders, SimulatePayment } from '#features/billing/index.ts'
import type { AccessTokens, CatchAll, PasswordAccounts } from '#features/compat/index.ts'
import type { ForwardingConsent, Forwardings } from '#features/forwarding/index.ts'
import type {
  Addresses,
  CheckMessage,
  Faults,
  Deliveries,
  FrameRequest,
  MailFrame,
  Messages,
  OpenAddress,
  RemoteContent,
  Secrets,
  UnsubscribeFrom,
} from '#features/mailbox/index.ts'
import type { MtaSts, Support } from '#features/operating/index.ts'
import type { OwnDomains } from '#features/own-domains/index.ts'
import type { PrivateAddresses, PrivateDeliveries, PrivateMessages } from '#features/private/index.ts'
import type { Pushes } from '#features/push/index.ts'
import type { Webhooks } from '#features/webhooks/index.ts'
import type { ExtensionPackages } from '#lib/extension-packages.ts'
import type { Rate, RateLimit, Rates } from './limits/rates.ts'

/** All options of the HTTP side. Sizes are bytes; times are milliseconds unless the name says seconds. */
export interface HttpOptions {
  /** The URL of the site as visitors see it, without a slash at the end. */
  publicUrl: string
  rates: Rates<RateLimit>
  /** Other sites that a form may lead to: the payment pages of providers. */
  checkoutOrigins: readonly string[]
  /** Limits that do not count clients on this machine: those that the operator did not set. */
  exemptLocally: readonly (Rate | 'streams')[]
  /** Whether the built-in checkout, in which no money moves, is available to clients on this machine only. */
  sandboxIsLocal: boolean
  /** The largest body of a payment event. */
  maxPaymentEventBytes: number
  /** Forwarding destinations of a Premium address. */
  premiumDestinations: number
  /** The largest body of a form to the operator, which may be longer than other requests. */
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
  /** The largest request of a browser that reads private messages: a sealed summary, or the addresses of images. */
  maxPrivateBytes: number
  /** Milliseconds in which the whole request must arrive. */
  requestTimeout: number
  /** Milliseconds that running responses get at a stop. */
  shutdownGrace: number
  /** IP addresses and networks (CIDR) of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[]
  /** Prices and sizes of Premium for the pages. */
  plans: PlansJson
  /** Who runs the service. */
  operator: OperatorJson
  /** Numbers for interface texts. */
  limits: SiteJson['limits']
  /** Link targets in header and footer. Null: a page of the site. */
  links: SiteJson['links']
  /** The operator's HTML for the two advertising places, and its height in pixels. */
  ads: Partial<Record<'top' | 'bottom', { html: string; height: number }>>
  /** Whether checks of messages have a spam score. */
  hasSpamFilter: boolean
  /** Other services whose clients work here, each under its own path. */
  compat: readonly ('mail.tm' | 'mailpit')[]
  /** Directory of the built client files. Undefined while Vite serves them. */
  clientDirectory: string | undefined
  /** Allows the inline styles of pages in a content security policy: their hash. Undefined while Vite serves them. */
  styleSource: string | undefined
  /** The same for the inline script that sets the chosen colors before the first paint. */
  scriptSource: string | undefined
}

export interface HttpDeps {
  extension: ExtensionPackages
  addresses: Addresses
  keptAddresses: KeptAddresses
  secrets: Pick<Secrets, 'replace'>
  privateAddresses: PrivateAddresses
  privateMessages: PrivateMessages
  privateDeliveries: PrivateDeliveries
  messages: Messages
  checkMessage: CheckMessage
  deliveries: Deliveries
  faults: Faults
  frame: (open: OpenAddress, id: string, request: FrameRequest) => Promise<MailFrame>
  unsubscribe: UnsubscribeFrom
  remoteContent: RemoteContent
  forwardings: Forwardings
  forwardingConsent: ForwardingConsent
  support: Support
  orders: Orders
  billing: Pick<Billing, 'handle'>
  simulatePayment: SimulatePayment
  signIn: SignIn
  paidSignIn: PaidSignIn
  account: Account
  deleteAccount: DeleteAccount
  exportAccount: AccountExport
  domains: readonly Domain[]
  mtaSts: Pick<MtaSts, 'policyOf'>
  ownDomains: OwnDomains
  apiKeys: ApiKeys
  webhooks: Webhooks
  pushes: Pushes
  /** What clients of other services need. */
  compat: { accounts: PasswordAccounts; tokens: AccessTokens; catchAll: CatchAll | undefined }
  /** How long messages are kept, in milliseconds. */
  retention: Record<Lifetime, number>
  /** Articles and other texts of the pages. */
  library: Library
  /** What texts say about the configuration, in the format of a locale. */
  figures: (locale: string) => Figures
  store: Pick<Store, 'check'>
  /** Announces changes of an inbox, or of who may access it. */
  bus: Pick<EventBus, 'subscribe'>
  /**
   * The channel to the other nodes, for limits that count on all nodes together, and the key that hides clients in it.
   */
  channel: Channel
  limitKey: Uint8Array
  metrics: Metrics
  logger: Logger
  clock: Clock
  /**
   * Aborts when a stop begins. From then on `/readyz` responds with 503, so that load balancers send no new clients.
   */
  draining: AbortSignal
  render: (payload: PagePayload, options?: Pick<RenderContext, 'inlineStyles'>) => Promise<RenderedPage>
  offerTexts: OfferTexts
  manifestTexts: ManifestTexts
  /** Codes of the languages, the one without a prefix first. */
  languages: readonly string[]
}
