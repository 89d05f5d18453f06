import type { PaymentProvider } from '#core/billing/payment.ts'
import { isLocalSite } from '#core/local-site.ts'
import { type BtcpayOptions, createBtcpay } from './btcpay/btcpay.ts'
import type { PaymentPorts } from './payment-ports.ts'
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts'
import { createStripe, type StripeOptions } from './stripe/stripe.ts'

type Shared = 'tolerance' | 'timeout'

export interface ProvidersOptions {
  /** Undefined if it is not configured; the same for BTCPay. */
  stripe: Omit<StripeOptions, Shared> | undefined
  btcpay: Omit<BtcpayOptions, Shared> | undefined
  /** `auto`: enabled if neither Stripe nor BTCPay is configured and the site is on localhost. */
  sandbox: 'auto' | 'on' | 'off'
  /** The URL of the site in the settings. */
  configuredSite: string
  /** The actual URL without a slash at the end, known only once the site listens. */
  siteUrl: () => string
  serviceKey: Uint8Array
  /** The maximum age of a signed payment event, in milliseconds. All times here are milliseconds. */
  tolerance: number
  /** Timeout of one call to a provider. */
  timeout: number
}

export interface Providers {
  /** The enabled providers, real ones first. A plan is bought from the first one that sells it. */
  all: readonly PaymentProvider[]
  /** The built-in checkout, if it is one of them. */
  sandbox: Sandbox | undefined
}

/** The payment providers, as the configuration says. */
export function createProviders(options: ProvidersOptions, ports: PaymentPorts): Providers {
  const { stripe, btcpay, tolerance, timeout } = options
  const sandbox = isSandboxOn(options) ? createSandbox(options, ports) : undefined
  const all = [
    stripe && createStripe({ ...stripe, tolerance, timeout }, ports),
    btcpay && createBtcpay({ ...btcpay, tolerance, timeout }, ports),
    sandbox,
  ]
  return { all: all.filter((provider) => provider !== undefined), sandbox }
}

function isSandboxOn({ sandbox, stripe, btcpay, configuredSite }: ProvidersOptions): boolean {
  if (sandbox !== 'auto') return sandbox === 'on'
  return stripe === undefined && btcpay === undefined && isLocalSite(configuredSite)
}
