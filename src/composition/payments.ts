import { configuredSite } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import type { PaymentPorts } from '#integrations/payment-ports.ts'
import { createProviders, type Providers, type ProvidersOptions } from '#integrations/providers.ts'

const SECOND = 1000

/** Who takes money, by the settings. `siteUrl` is asked when the site listens. */
export function paymentProviders(
  config: Config,
  base: { key: Uint8Array; siteUrl: () => string },
  ports: PaymentPorts,
): Providers {
  const options: ProvidersOptions = {
    stripe: stripeOptions(config),
    btcpay: btcpayOptions(config),
    sandbox: config.PAYMENT_SANDBOX === 'on-public-site' ? 'on' : config.PAYMENT_SANDBOX,
    configuredSite: configuredSite(config),
    siteUrl: base.siteUrl,
    serviceKey: base.key,
    tolerance: config.WEBHOOK_TOLERANCE_SECONDS * SECOND,
    timeout: config.PAYMENT_SECONDS * SECOND,
  }
  if ((options.stripe ?? options.btcpay) && config.OUTBOUND_URL === undefined)
    ports.logger.warn({}, 'MAYFLY_OUTBOUND_URL is not set: sign-in links and receipts stay in the outbox, as files')
  return createProviders(options, ports)
}

function stripeOptions(config: Config): ProvidersOptions['stripe'] {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config
  if (secretKey === undefined || webhookSecret === undefined) return undefined
  return {
    secretKey,
    webhookSecret,
    lookupKeys: { month: config.STRIPE_MONTH_LOOKUP_KEY, year: config.STRIPE_YEAR_LOOKUP_KEY },
    automaticTax: config.STRIPE_TAX === 'automatic',
    apiUrl: config.STRIPE_API_URL,
  }
}

function btcpayOptions(config: Config): ProvidersOptions['btcpay'] {
  const { BTCPAY_URL: url, BTCPAY_STORE_ID: storeId, BTCPAY_API_KEY: apiKey } = config
  const { BTCPAY_WEBHOOK_SECRET: webhookSecret } = config
  if (url === undefined || storeId === undefined || apiKey === undefined || webhookSecret === undefined)
    return undefined
  return {
    url,
    storeId,
    apiKey,
    webhookSecret,
    expirationMinutes: config.BTCPAY_EXPIRATION_MINUTES,
    speedPolicy: config.BTCPAY_SPEED,
  }
}
