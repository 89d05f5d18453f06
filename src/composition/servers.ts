import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { RECEIVING_SHARE } from '#config/mailbox.ts'
import { configuredSite, mailHostOf, ownSite } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import type { RenderPage } from '#contract/render.ts'
import type { EmailTranslations } from '#core/email/email.ts'
import { isLocalSite } from '#core/local-site.ts'
import { REMOTE_URLS_MAX } from '#core/mailbox/message.ts'
import { MINUTE } from '#core/time.ts'
import { foldEmails } from '#features/billing/index.ts'
import { createApp } from '#http/app.ts'
import { perSecond } from '#http/limits/rates.ts'
import { shareLimits } from '#http/limits/shared-limits.ts'
import { type MetricsServer, startMetricsServer } from '#http/metrics-server.ts'
import type { HttpDeps, HttpOptions } from '#http/options.ts'
import { createExtensionPackages } from '#lib/extension-packages.ts'
import { languages } from '#locales/languages.ts'
import type { GivenSmtpOptions } from '#smtp/options.ts'
import { createSmtpServer } from '#smtp/server.ts'
import { readAdvertisements } from './advertisements.ts'
import type { Services } from './app.ts'
import { shareDescriptors } from './descriptors.ts'
import { figuresOf, limitsOf, operatorOf } from './figures.ts'
import { createGauges } from './gauges.ts'
import { exemptLocally, unlimitedSessions } from './local-limits.ts'
import { operatorAddressWarning } from './operator-address.ts'
import { certificateError, listenError } from './start-errors.ts'

/** An open page counts as a visit this often. */
const STREAM_VISIT_INTERVAL = 10 * MINUTE

/** A character (UTF-16 unit) of a form takes up to three bytes, each encoded as `%XX`. */
const FORM_BYTES_PER_CHARACTER = 9

export interface Running {
  /** The URL of the page. */
  url: string
  httpPort: number
  smtpPort: number
  metricsPort: number
  /**
   * `/readyz` responds with 503 for DRAIN_SECONDS while everything still works. Then new clients are refused, sessions
   * finish or get 421, and streams end. Nothing acknowledged is lost.
   */
  stop(): Promise<void>
}

export interface WebBuild {
  /** Changes with each build. */
  buildId: string
  render: RenderPage
  /** Allows the inline styles of pages in a content security policy. Undefined while Vite serves them. */
  styleSource?: string | undefined
  /** The same for their inline script. */
  scriptSource?: string | undefined
  offerTexts: HttpDeps['offerTexts']
  manifestTexts: HttpDeps['manifestTexts']
  /** What emails are written with. */
  translations: EmailTranslations
  /** Undefined while Vite serves the client files. */
  clientDirectory: string | undefined
  /** Directory of the built browser extension. */
  extensionDirectory?: string
  /** Sees each request first: Vite, during development. */
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The result of `npm run build`. Throws a one-line error if it is missing. */
export async function loadBuild(): Promise<WebBuild> {
  const entry = new URL('../../dist/server/entry.server.js', import.meta.url)
  if (!existsSync(entry)) throw new Error('The pages are not built yet: run npm run build')
  const { buildId, render, styleSource, scriptSource, offerTexts, manifestTexts, translations } = (await import(
    entry.href
  )) as Omit<WebBuild, 'clientDirectory' | 'extensionDirectory'>
  return {
    buildId,
    render,
    styleSource,
    scriptSource,
    offerTexts,
    manifestTexts,
    translations,
    clientDirectory: fileURLToPath(new URL('../../dist/client', import.meta.url)),
    extensionDirectory: fileURLToPath(new URL('../../dist/extension', import.meta.url)),
  }
}

/** Starts SMTP and HTTP on the services. */
export async function startServers(config: Config, services: Services, build: WebBuild): Promise<Running> {
  const warning = await operatorAddressWarning(config, services)
  if (warning !== undefined) services.logger.warn({}, warning)
  const shares = shareDescriptors(config)
  const options = httpOptions(config, services, build, shares.http)
  const draining = new AbortController()
  const app = await createApp(options, {
    ...services,
    draining: draining.signal,
    languages: languages.map(({ code }) => code),
    figures: figuresOf(config, () => options.publicUrl),
    offerTexts: build.offerTexts,
    manifestTexts: build.manifestTexts,
    extension: createExtensionPackages(build.extensionDirectory, services.site),
    render: (payload, how) => build.render(payload, { ...how, publicUrl: options.publicUrl }),
  })
  if (build.middleware) putBefore(app.server, build.middleware)
  await foldEmails(services)
  if (!services.sold.sandbox) {
    // The subscriptions that the sandbox granted were not paid for.
    const ended = await services.grants.endSandbox()
    if (ended > 0) services.logger.warn({ ended }, 'sandbox payments were revoked, because the sandbox is off')
  }
  // From here on there is something to close. Faulty settings have been reported before.
  const smtp = createSmtpServer({ ...smtpOptions(config), maxConnections: shares.smtp }, services)
  shareLimits(smtp.rates, services.channel, services.limitKey)
  const { port: smtpPort } = await smtp.listen().catch((error: unknown) => {
    throw listenError(config, 'SMTP_PORT', certificateError(config, error))
  })
  const measure = createGauges(config, services)
  services.metrics.gauge('build_info', 1, { version, build: build.buildId, node: process.versions.node })
  let metrics: MetricsServer | undefined
  try {
    await app.listen({ host: config.server.host, port: config.server.httpPort }).catch((error: unknown) => {
      throw listenError(config, 'HTTP_PORT', error)
    })
    metrics = await startMetricsServer({
      host: config.server.metricsHost,
      port: config.server.metricsPort,
      async render() {
        await measure()
        return services.metrics.render()
      },
      logger: services.logger,
    }).catch((error: unknown) => {
      throw listenError(config, 'METRICS_PORT', error)
    })
  } catch (error) {
    await Promise.all([smtp.close(), app.close()])
    throw error
  }
  const { port } = app.server.address() as AddressInfo
  // With port 0 the address is known only now. It is not read before this point.
  if (config.server.publicUrl === undefined) options.publicUrl = services.site.url = `${ownSite(config)}:${port}`
  for (const each of services.periodic) each.start()
  if (shares.warning !== undefined) services.logger.warn({}, shares.warning)
  services.emails.start(build.translations)
  services.webhookSender.start()
  services.pushSender.start()
  // Made at the first start.
  await services.pushKeys().catch((error: unknown) => services.logger.error({ err: error }, 'push keys not readable'))
  services.forwardingSender.start()
  return {
    url: options.publicUrl,
    httpPort: port,
    smtpPort,
    metricsPort: metrics.port,
    async stop() {
      draining.abort()
      await setTimeout(config.server.drainTime)
      await Promise.all([smtp.close(), app.close()])
      await metrics.close()
      await services.close()
    },
  }
}

function putBefore(server: Server, middleware: NonNullable<WebBuild['middleware']>): void {
  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    middleware(request, response, () => handlers.forEach((handle) => handle(request, response)))
  })
}

function smtpOptions(config: Config): GivenSmtpOptions {
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
/** Checks that open the up to 50 links of a message. */
const LINK_CHECKS = { burst: 10, seconds: 30 }

const rateLimits = ({ http, premium, accounts, payments, forwarding, ownDomains, webhooks }: Config) => ({
  api: perSecond(http.requestsPerSecond),
  pages: perSecond(http.pagesPerSecond),
  images: IMAGES,
  keys: perSecond(premium.keyRequestsPerSecond),
  wrongKeys: perSecond(http.requestsPerSecond),
  creations: { burst: http.addressCreateBurst, seconds: http.addressCreateSeconds },
  logins: { burst: 10, seconds: 3 },
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
