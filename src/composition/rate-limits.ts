import type { Config } from '#config/table.ts'
import { REMOTE_URLS_MAX } from '#core/mailbox/message.ts'
import { perSecond, type RateLimit, type Rates } from '#http/limits/rates.ts'

/** Twice the images of a message: the frame that shows it and the frame that measures it load them. */
const IMAGES = { burst: 2 * REMOTE_URLS_MAX, seconds: 1 / 20 }
/** Checks that open the up to 50 links of a message. */
const LINK_CHECKS = { burst: 10, seconds: 30 }

/**
 * A rate without a setting. Who may send very many requests, as in a container for tests, may send one of this kind
 * among `every` of them.
 */
const oneIn = (every: number, requestsPerSecond: number, { burst, seconds }: RateLimit): RateLimit => ({
  burst: Math.max(burst, Math.floor(requestsPerSecond / every)),
  seconds: Math.min(seconds, every / requestsPerSecond),
})

export const rateLimits = ({
  http,
  premium,
  accounts,
  payments,
  forwarding,
  ownDomains,
  webhooks,
}: Config): Rates<RateLimit> => ({
  api: perSecond(http.requestsPerSecond),
  pages: perSecond(http.pagesPerSecond),
  images: oneIn(1.5, http.pagesPerSecond, IMAGES),
  keys: perSecond(premium.keyRequestsPerSecond),
  wrongKeys: perSecond(http.requestsPerSecond),
  creations: { burst: http.addressCreateBurst, seconds: http.addressCreateSeconds },
  logins: oneIn(24, http.requestsPerSecond, { burst: 10, seconds: 3 }),
  // More than one client can use up, which would otherwise keep the owner of the address out.
  failedLogins: oneIn(100, http.requestsPerSecond, { burst: 12, seconds: 1 }),
  emails: { burst: http.supportBurst, seconds: http.supportSeconds },
  signIns: { burst: accounts.signInBurst, seconds: accounts.signInSeconds },
  orders: { burst: payments.orderBurst, seconds: payments.orderSeconds },
  // Strangers can name any email address. Each open checkout is closed when its account is deleted.
  ordersOfEmail: { burst: 2 * payments.orderBurst, seconds: 20 * payments.orderSeconds },
  paymentEvents: perSecond(payments.eventsPerSecond),
  forwardAsks: { burst: forwarding.askBurst, seconds: forwarding.askSeconds },
  domainChecks: { burst: ownDomains.checkBurst, seconds: ownDomains.checkSeconds },
  webhookTests: { burst: webhooks.testBurst, seconds: webhooks.testSeconds },
  linkChecks: oneIn(240, http.requestsPerSecond, LINK_CHECKS),
})
