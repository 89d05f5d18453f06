import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isGiven } from '#config/load.ts'
import { configuredSite, isOnlyHere, mailHostOf, ownSite } from '#config/site.ts'
import type { Config, Key } from '#config/table.ts'
import type { RenderPage } from '#contract/pages.ts'
import type { EmailTranslations } from '#core/email/email.ts'
import { isLocalSite } from '#core/local-site.ts'
import { foldEmails } from '#features/billing/index.ts'
import { createApp } from '#http/app.ts'
import { shareLimits } from '#http/limits/shared-limits.ts'
import { type MetricsServer, startMetricsServer } from '#http/metrics-server.ts'
import type { HttpOptions } from '#http/options.ts'
import { languages } from '#locales/languages.ts'
import type { SmtpOptions } from '#smtp/options.ts'
import { createSmtpServer } from '#smtp/server.ts'
import type { Services } from './app.ts'
import { shareDescriptors } from './descriptors.ts'
import { certificateError, fileError, listenError } from './start-errors.ts'

const SECOND = 1000
/** An open page is a visit; this often it is one again. */
const STREAM_VISIT_INTERVAL = 10 * 60 * SECOND

/** A character (UTF-16 unit) of a form is three bytes, each of them `%XX`. */
const FORM_BYTES_PER_CHARACTER = 9

export interface Running {
  /** The page's address. */
  url: string
  httpPort: number
  smtpPort: number
  metricsPort: number
  /**
   * `/readyz` says 503 while all goes on for DRAIN_SECONDS; then nobody new comes in, sessions finish or get 421, streams end,
   * nothing acknowledged is lost.
   */
  stop(): Promise<void>
}

export interface WebBuild {
  render: RenderPage
  /** What emails are written with. */
  translations: EmailTranslations
  /** Undefined while Vite serves the client files. */
  clientDirectory: string | undefined
  /** Sees each request first: Vite, while developing. */
  middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
}

/** What `npm run build` made. Throws one clear line where it isn't there. */
export async function loadBuild(): Promise<WebBuild> {
  const entry = new URL('../../dist/server/entry.server.js', import.meta.url)
  if (!existsSync(entry)) throw new Error('The pages are not built yet: run npm run build')
  const { render, translations } = (await import(entry.href)) as Pick<WebBuild, 'render' | 'translations'>
  return { render, translations, clientDirectory: fileURLToPath(new URL('../../dist/client', import.meta.url)) }
}

/** Starts SMTP and HTTP on the services. */
export async function startServers(config: Config, services: Services, build: WebBuild): Promise<Running> {
  const shares = shareDescriptors(config)
  const options = httpOptions(config, services, build.clientDirectory, shares.http)
  const draining = new AbortController()
  const app = await createApp(options, {
    ...services,
    draining: draining.signal,
    languages: languages.map(({ code }) => code),
    render: (payload) => build.render(payload, { publicUrl: options.publicUrl }),
  })
  if (build.middleware) putBefore(app.server, build.middleware)
  await foldEmails(services)
  if (!services.sold.sandbox) {
    // Nobody paid for what it granted.
    const ended = await services.grants.endSandbox()
    if (ended > 0) services.logger.warn({ ended }, 'payments of the sandbox ended: it is off')
  }
  // From here on there is something to close: what can be wrong with the settings has come out before.
  const smtp = createSmtpServer({ ...smtpOptions(config), maxConnections: shares.smtp }, services)
  shareLimits(smtp.rates, services.channel, services.limitKey)
  const { port: smtpPort } = await smtp.listen().catch((error: unknown) => {
    throw listenError(config, 'SMTP_PORT', certificateError(config, error))
  })
  let metrics: MetricsServer | undefined
  try {
    await app.listen({ host: config.HOST, port: config.HTTP_PORT }).catch((error: unknown) => {
      throw listenError(config, 'HTTP_PORT', error)
    })
    metrics = await startMetricsServer({
      host: config.METRICS_HOST,
      port: config.METRICS_PORT,
      render: () => services.metrics.render(),
      logger: services.logger,
    }).catch((error: unknown) => {
      throw listenError(config, 'METRICS_PORT', error)
    })
  } catch (error) {
    await Promise.all([smtp.close(), app.close()])
    throw error
  }
  const { port } = app.server.address() as AddressInfo
  // With port 0 the address is known only now; everything reads it later than this.
  if (config.PUBLIC_URL === undefined) options.publicUrl = services.site.url = `${ownSite(config)}:${port}`
  for (const each of [services.retention, ...services.periodic]) each.start()
  if (shares.warning !== undefined) services.logger.warn({}, shares.warning)
  services.emails.start(build.translations)
  services.webhookSender.start()
  services.forwardingSender.start()
  return {
    url: options.publicUrl,
    httpPort: port,
    smtpPort,
    metricsPort: metrics.port,
    async stop() {
      draining.abort()
      await setTimeout(config.DRAIN_SECONDS * SECOND)
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

type SessionLimit = Extract<
  Key,
  `SMTP_CONNECTIONS_PER_${string}` | 'SMTP_SESSION_COMMANDS_MAX' | 'SMTP_SESSION_MESSAGES_MAX'
>

function smtpOptions(config: Config): Partial<SmtpOptions> & Pick<SmtpOptions, 'hostname'> {
  const { SMTP_TLS_CERT_FILE: certFile, SMTP_TLS_KEY_FILE: keyFile } = config
  // Where nobody but this machine can connect, what one client may do holds only where it was set.
  const onlyHere = isOnlyHere(config)
  const ofMachine = (key: SessionLimit): number => (onlyHere && !isGiven(config, key) ? Infinity : config[key])
  return {
    host: config.HOST,
    port: config.SMTP_PORT,
    hostname: mailHostOf(config),
    maxMessageBytes: Math.max(config.MESSAGE_MAX_BYTES, config.PREMIUM_MESSAGE_MAX_BYTES),
    maxRecipients: config.SMTP_RECIPIENTS_MAX,
    maxCopiesBytes: config.SMTP_COPIES_MAX_BYTES,
    maxBytesPerHour: config.SMTP_BYTES_PER_HOUR,
    maxRefusedRecipientsPerHour: config.SMTP_REFUSED_RECIPIENTS_PER_HOUR,
    maxConnectionsPerAddress: ofMachine('SMTP_CONNECTIONS_PER_IP_MAX'),
    maxConnectionsPerNetwork: ofMachine('SMTP_CONNECTIONS_PER_NETWORK_MAX'),
    maxCommands: ofMachine('SMTP_SESSION_COMMANDS_MAX'),
    maxMessages: ofMachine('SMTP_SESSION_MESSAGES_MAX'),
    maxErrors: config.SMTP_SESSION_ERRORS_MAX,
    maxRefusedRecipients: config.SMTP_SESSION_REFUSED_RECIPIENTS_MAX,
    maxCommandLineBytes: config.SMTP_COMMAND_LINE_MAX_BYTES,
    maxLineBytes: config.SMTP_LINE_MAX_BYTES,
    maxHeaderBytes: config.SMTP_HEADER_MAX_BYTES,
    maxHops: config.SMTP_HOPS_MAX,
    // The other half is for what is complete, and must be able to go on.
    maxBufferedBytes: config.MAIL_MEMORY_BYTES / 2,
    proxies: config.SMTP_PROXIES,
    proxyHeaderTimeout: config.SMTP_PROXY_HEADER_SECONDS * SECOND,
    commandTimeout: config.SMTP_COMMAND_TIMEOUT_SECONDS * SECOND,
    dataTimeout: config.SMTP_DATA_TIMEOUT_SECONDS * SECOND,
    maxDataTime: config.SMTP_DATA_MAX_SECONDS * SECOND,
    minBytesPerSecond: config.SMTP_MIN_BYTES_PER_SECOND,
    slowSenderGrace: config.SMTP_SLOW_SENDER_GRACE_SECONDS * SECOND,
    shutdownGrace: config.SHUTDOWN_SECONDS * SECOND,
    startTls: config.SMTP_STARTTLS,
    auth: config.SMTP_AUTH,
    isLocalSite: isLocalSite(configuredSite(config)),
    certificate: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
  }
}

function httpOptions(
  config: Config,
  { site, sold }: Pick<Services, 'site' | 'sold'>,
  clientDirectory: string | undefined,
  maxConnections: number,
): HttpOptions {
  return {
    publicUrl: site.url,
    requestsPerSecond: config.API_REQUESTS_PER_SECOND,
    pagesPerSecond: config.PAGE_REQUESTS_PER_SECOND,
    addressCreateSeconds: config.ADDRESS_CREATE_SECONDS,
    addressCreateBurst: config.ADDRESS_CREATE_BURST,
    supportSeconds: config.SUPPORT_SECONDS,
    supportBurst: config.SUPPORT_BURST,
    checkoutOrigins: checkoutOrigins(config),
    notCountedHere: notCountedHere(config),
    sandboxIsLocal: config.PAYMENT_SANDBOX === 'auto' && sold.sandbox,
    orderSeconds: config.ORDER_SECONDS,
    orderBurst: config.ORDER_BURST,
    webhookCallsPerSecond: config.WEBHOOK_CALLS_PER_SECOND,
    maxWebhookBytes: config.WEBHOOK_MAX_BYTES,
    forwardAskSeconds: config.FORWARD_ASK_SECONDS,
    forwardAskBurst: config.FORWARD_ASK_BURST,
    premiumDestinations: config.PREMIUM_FORWARD_DESTINATIONS,
    domainCheckSeconds: config.DOMAIN_CHECK_SECONDS,
    domainCheckBurst: config.DOMAIN_CHECK_BURST,
    signInSeconds: config.SIGN_IN_SECONDS,
    signInBurst: config.SIGN_IN_BURST,
    keyRequestsPerSecond: config.PREMIUM_KEY_REQUESTS_PER_SECOND,
    webhookTestSeconds: config.WEBHOOK_TEST_SECONDS,
    webhookTestBurst: config.WEBHOOK_TEST_BURST,
    maxSupportBytes: config.REQUEST_MAX_BYTES + FORM_BYTES_PER_CHARACTER * supportCharacters(config),
    maxConnections,
    maxConnectionsPerClient: config.HTTP_CONNECTIONS_PER_IP_MAX,
    maxStreamsPerClient: config.STREAMS_PER_IP_MAX,
    maxStreams: config.STREAMS_MAX,
    streamBufferBytes: config.STREAM_BUFFER_MAX_BYTES,
    streamKeepAlive: config.STREAM_KEEPALIVE_SECONDS * SECOND,
    streamVisitInterval: STREAM_VISIT_INTERVAL,
    maxBodyBytes: config.REQUEST_MAX_BYTES,
    maxPrivateBytes: config.PRIVATE_REQUEST_MAX_BYTES,
    requestTimeout: config.REQUEST_SECONDS * SECOND,
    shutdownGrace: config.SHUTDOWN_SECONDS * SECOND,
    trustedProxies: config.TRUSTED_PROXIES,
    plans: {
      sold: sold.plans,
      sandbox: sold.sandbox,
      tax: { percent: config.PREMIUM_TAX_BASIS_POINTS / 100, added: config.PREMIUM_TAX === 'added' },
      currency: config.PREMIUM_CURRENCY,
      month: config.PREMIUM_MONTH_CENTS,
      year: config.PREMIUM_YEAR_CENTS,
      cryptoYear: config.PREMIUM_CRYPTO_YEAR_CENTS,
      cryptoYearsMax: config.PREMIUM_CRYPTO_YEARS_MAX,
      addresses: config.PREMIUM_ADDRESSES,
      storageBytes: config.PREMIUM_STORAGE_BYTES,
    },
    links: {
      appStore: config.APP_STORE_URL ?? null,
      mobileStore: config.MOBILE_STORE_URL ?? null,
      tempNumber: config.TEMP_NUMBER_URL ?? null,
      advertising: config.ADVERTISING_URL ?? null,
    },
    ads: {
      ...advertisement('top', config.AD_TOP_FILE, config.AD_TOP_HEIGHT_PIXELS),
      ...advertisement('bottom', config.AD_BOTTOM_FILE, config.AD_BOTTOM_HEIGHT_PIXELS),
    },
    clientDirectory,
  }
}

/** A limit that is set holds for everybody. */
function notCountedHere(config: Config): HttpOptions['notCountedHere'] {
  const unset = (...keys: Key[]): boolean => keys.every((key) => !isGiven(config, key))
  return [
    ...(unset('API_REQUESTS_PER_SECOND') ? (['api'] as const) : []),
    ...(unset('PAGE_REQUESTS_PER_SECOND') ? (['pages'] as const) : []),
    ...(unset('ADDRESS_CREATE_SECONDS', 'ADDRESS_CREATE_BURST') ? (['creations'] as const) : []),
    ...(unset('STREAMS_PER_IP_MAX') ? (['streams'] as const) : []),
    ...(unset('WEBHOOK_CALLS_PER_SECOND') ? (['paymentCalls'] as const) : []),
  ]
}

/** Where visitors pay. */
const checkoutOrigins = ({ STRIPE_SECRET_KEY: stripe, BTCPAY_URL: btcpay }: Config): string[] => [
  ...(stripe === undefined ? [] : ['https://checkout.stripe.com']),
  ...(btcpay === undefined ? [] : [new URL(btcpay).origin]),
]

const supportCharacters = (config: Config): number =>
  config.SUPPORT_MESSAGE_MAX_CHARACTERS + config.SUPPORT_NAME_MAX_CHARACTERS

/** Read at the start, so that a file that isn't there stops it with one line. */
function advertisement(place: 'top' | 'bottom', file: string | undefined, height: number): HttpOptions['ads'] {
  if (file === undefined) return {}
  try {
    return { [place]: { html: readFileSync(file, 'utf8'), height } }
  } catch (error) {
    throw fileError(place === 'top' ? 'AD_TOP_FILE' : 'AD_BOTTOM_FILE', file, error)
  }
}
