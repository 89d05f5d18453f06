import type { Domain } from '#core/domain.ts'
import type { Channel, Clock, Logger, Metrics, Store } from '#core/ports.ts'
import type { Library } from '#content/library.ts'
import type { PagePayload, PlansJson, RenderedPage, SiteJson } from '#contract/pages.ts'
import type { Addresses } from '#features/addresses.ts'
import type { MailFrame, FrameRequest } from '#features/mail-frame.ts'
import type { Messages } from '#features/messages.ts'
import type { OpenAddress } from '#features/addresses.ts'
import type { RemoteContent } from '#features/remote-content.ts'
import type { Support } from '#features/support.ts'

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
  /** The largest body of such a form: its texts may be longer than other requests. */
  maxSupportBytes: number
  maxStreamsPerClient: number
  maxStreams: number
  streamBufferBytes: number
  streamKeepAlive: number
  /** How often an open stream counts as a visit of the owner. */
  streamVisitInterval: number
  maxBodyBytes: number
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
  messages: Messages
  frame: (open: OpenAddress, id: string, request: FrameRequest) => Promise<MailFrame>
  remoteContent: RemoteContent
  support: Support
  domains: readonly Domain[]
  /** Articles and other texts of the pages. */
  library: Library
  store: Pick<Store, 'check'>
  /** To the other nodes, for limits that count on all of them together; and the key under which clients go there. */
  channel: Channel
  limitKey: Uint8Array
  metrics: Metrics & { render(): Promise<{ contentType: string; body: string }> }
  logger: Logger
  clock: Clock
  /** Aborts when a stop has begun: from then on `/readyz` says 503, so that load balancers send nobody new. */
  draining: AbortSignal
  render: (payload: PagePayload) => Promise<RenderedPage>
  /** Codes of the languages, the unprefixed one first. */
  languages: readonly string[]
}
