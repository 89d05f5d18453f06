import { configuredSite } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import { PROVIDERS } from '#core/billing/provider.ts'
import { MINUTE, SECOND } from '#core/time.ts'
import type { PaymentPorts } from '#integrations/payment-ports.ts'
import { createProviders, type Providers, type ProvidersOptions } from '#integrations/providers.ts'
import type { Base } from './base.ts'

/** The maximum age of a signed payment event. */
const SIGNATURE_TOLERANCE = 5 * MINUTE
/** Timeout of a call to Stripe or BTCPay. */
const PROVIDER_TIMEOUT = 20 * SECOND

/** The payment providers in the settings. */
export async function composeProviders(
  config: Config,
  {
    key,
    site,
    store,
    clock,
    logger,
  }: Pick<Base, 'key' | 'site' | 'clock' | 'logger'> & { store: Pick<PaymentPorts, 'orders' | 'subscriptions'> },
): Promise<Providers> {
  const options: ProvidersOptions = {
    stripe: stripeOptions(config),
    btcpay: btcpayOptions(config),
    sandbox: config.payments.sandbox === 'on-public-site' ? 'on' : config.payments.sandbox,
    configuredSite: configuredSite(config),
    siteUrl: () => site.url,
    serviceKey: key,
    tolerance: SIGNATURE_TOLERANCE,
    timeout: PROVIDER_TIMEOUT,
  }
  const providers = await createProviders(options, {
    orders: store.orders,
    subscriptions: store.subscriptions,
    clock,
    logger,
  })
  if (providers.all.some(({ name }) => PROVIDERS[name].sendsEvents) && config.email.relayUrl === undefined)
    logger.warn({}, 'MAYFLY_OUTBOUND_URL is not set: sign-in links and receipts stay in the outbox, as files')
  return providers
}

function stripeOptions(config: Config): ProvidersOptions['stripe'] {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } = config.payments
  if (secretKey === undefined || webhookSecret === undefined) return undefined
  return {
    secretKey,
    webhookSecret,
    lookupKeys: { month: config.payments.stripeMonthLookupKey, year: config.payments.stripeYearLookupKey },
    automaticTax: config.payments.stripeTax === 'automatic',
    apiUrl: config.payments.stripeApiUrl,
  }
}

function btcpayOptions(config: Config): ProvidersOptions['btcpay'] {
  const { btcpayUrl: url, btcpayStoreId: storeId, btcpayApiKey: apiKey } = config.payments
  const { btcpayWebhookSecret: webhookSecret } = config.payments
  if (url === undefined || storeId === undefined || apiKey === undefined || webhookSecret === undefined)
    return undefined
  return {
    url,
    storeId,
    apiKey,
    webhookSecret,
    expirationMinutes: config.payments.btcpayExpirationMinutes,
    speedPolicy: config.payments.btcpaySpeed,
  }
}
