import { RECEIVING_SHARE } from '#config/mailbox.ts'
import { configuredSite, mailHostOf } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import { isLocalSite } from '#core/local-site.ts'
import { REMOTE_URLS_MAX } from '#core/mailbox/message.ts'
import { MINUTE } from '#core/time.ts'
import { perSecond } from '#http/limits/rates.ts'
import type { HttpOptions } from '#http/options.ts'
import type { GivenSmtpOptions } from '#smtp/options.ts'
import { readAdvertisements } from './advertisements.ts'
import type { Services } from './app.ts'
import type { WebBuild } from './build.ts'
import { limitsOf, operatorOf } from './figures.ts'
import { exemptLocally, unlimitedSessions } from './local-limits.ts'

/** An open page counts as a visit this often. */
const STREAM_VISIT_INTERVAL = 10 * MINUTE

/** A character (UTF-16 unit) of a form takes up to three bytes, each encoded as `%XX`. */
const FORM_BYTES_PER_CHARACTER = 9

/** The options of the receiver. */
export function smtpOptions(config: Config): GivenSmtpOptions {
  const { certFile, keyFile, ...limits } = config.smtp
  return {
    ...limits,
    ...unlimitedSessions(config),
    host: config.server.host,
    port: config.server.smtpPort,
    hostname: mailHostOf(config),
    maxMessageBytes: Math.max(config.mailbox.maxMessageBytes, config.premium.maxMessageBytes),
    maxBufferedBytes: config.mailbox.memoryBytes * RECEIVING_SHARE,
    shutdownGrace: config.server.shutdownGrace,
    isLocalSite: isLocalSite(configuredSite(config)),
    certificate: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
  }
}

/** The options of the HTTP side. `maxConnections`: its share of what the process may open. */
export function httpOptions(
  config: Config,
  { site, sold }: Pick<Services, 'site' | 'sold'>,
  { clientDirectory, styleSource, scriptSource }: Pick<WebBuild, 'clientDirectory' | 'styleSource' | 'scriptSource'>,
  maxConnections: number,
): HttpOptions {
  return {
    publicUrl: site.url,
    ...config.http,
    rates: rateLimits(config),
    checkoutOrigins: checkoutOrigins(config),
    exemptLocally: exemptLocally(config),
    sandboxIsLocal: config.payments.sandbox === 'auto' && sold.sandbox,
    maxPaymentEventBytes: config.payments.maxEventBytes,
    premiumDestinations: config.premium.destinations,
    maxSupportBytes: config.http.maxBodyBytes + FORM_BYTES_PER_CHARACTER * supportCharacters(config),
    maxConnections,
    streamVisitInterval: STREAM_VISIT_INTERVAL,
    shutdownGrace: config.server.shutdownGrace,
    trustedProxies: config.server.trustedProxies,
    plans: {
      sold: sold.plans,
      sandbox: sold.sandbox,
      tax: { percent: config.premium.taxBasisPoints / 100, added: config.premium.tax === 'added' },
      currency: config.premium.currency,
      month: config.premium.monthPrice,
      year: config.premium.yearPrice,
      cryptoYear: config.premium.cryptoYearPrice,
      cryptoYearsMax: config.premium.maxCryptoYears,
      addresses: config.premium.addresses,
      storageBytes: config.premium.storageBytes,
      messageBytes: config.premium.maxMessageBytes,
    },
    operator: operatorOf(config),
    limits: limitsOf(config),
    links: {
      appStore: config.pages.appStoreUrl ?? null,
      mobileStore: config.pages.mobileStoreUrl ?? null,
      tempNumber: config.pages.tempNumberUrl ?? null,
      advertising: config.pages.advertisingUrl ?? null,
    },
    ads: readAdvertisements(config),
    clientDirectory,
    styleSource,
    scriptSource,
    hasSpamFilter: config.mailbox.rspamdUrl !== undefined,
    compat: config.compat.services ?? [],
  }
}

/** Twice the images of a message: the frame that shows it and the frame that measures it load them. */
const IMAGES = { burst: 2 * REMOTE_URLS_MAX, seconds: 1 / 20 }
/** Logins with a password, each of which uses CPU time and memory for key stretching. */
const LOGINS = { burst: 10, seconds: 3 }
/** Checks that open the up to 50 links of a message. */
const LINK_CHECKS = { burst: 10, seconds: 30 }

const rateLimits = ({ http, premium, accounts, payments, forwarding, ownDomains, webhooks }: Config) => ({
  api: perSecond(http.requestsPerSecond),
  pages: perSecond(http.pagesPerSecond),
  images: IMAGES,
  keys: perSecond(premium.keyRequestsPerSecond),
  wrongKeys: perSecond(http.requestsPerSecond),
  creations: { burst: http.addressCreateBurst, seconds: http.addressCreateSeconds },
  logins: LOGINS,
  // More than one client can use up, which would otherwise keep the owner of the address out.
  failedLogins: { burst: 12, seconds: 1 },
  supportForms: { burst: http.supportBurst, seconds: http.supportSeconds },
  signIns: { burst: accounts.signInBurst, seconds: accounts.signInSeconds },
  orders: { burst: payments.orderBurst, seconds: payments.orderSeconds },
  // Strangers can name any email address. Each open checkout is closed when its account is deleted.
  ordersOfEmail: { burst: 2 * payments.orderBurst, seconds: 20 * payments.orderSeconds },
  paymentEvents: perSecond(payments.eventsPerSecond),
  forwardAsks: { burst: forwarding.askBurst, seconds: forwarding.askSeconds },
  domainChecks: { burst: ownDomains.checkBurst, seconds: ownDomains.checkSeconds },
  webhookTests: { burst: webhooks.testBurst, seconds: webhooks.testSeconds },
  linkChecks: LINK_CHECKS,
})

/** The sites of the payment pages. */
const checkoutOrigins = ({ payments: { stripeSecretKey: stripe, btcpayUrl: btcpay } }: Config): string[] => [
  ...(stripe === undefined ? [] : ['https://checkout.stripe.com']),
  ...(btcpay === undefined ? [] : [new URL(btcpay).origin]),
]

const supportCharacters = (config: Config): number =>
  config.http.supportMessageCharacters + config.http.supportNameCharacters
