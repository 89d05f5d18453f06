import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { ownSite } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import { foldEmails } from '#features/billing/index.ts'
import { createApp } from '#http/app.ts'
import { shareLimits } from '#http/limits/shared-limits.ts'
import { type MetricsServer, startMetricsServer } from '#http/metrics-server.ts'
import { createExtensionPackages } from '#lib/extension-packages.ts'
import { languages } from '#locales/languages.ts'
import { createSmtpServer } from '#smtp/server.ts'
import type { Services } from './app.ts'
import type { WebBuild } from './build.ts'
import { shareDescriptors } from './descriptors.ts'
import { figuresOf } from './figures.ts'
import { createGauges } from './gauges.ts'
import { operatorAddressWarning } from './operator-address.ts'
import { httpOptions, smtpOptions } from './server-options.ts'
import { certificateError, listenError } from './start-errors.ts'

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

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
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
  build.prepare?.(app.server)
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
