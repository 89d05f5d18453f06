import type { PaymentProvider } from '#core/billing/payment.ts'
import { isLocalSite } from '#core/local-site.ts'
import { type BtcpayOptions, createBtcpay } from './btcpay/btcpay.ts'
import type { PaymentPorts } from './payment-ports.ts'
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts'
import { createStripe, type StripeOptions } from './stripe/stripe.ts'

type Shared = 'tolerance' | 'timeout'

export interface ProvidersOptions {
  /** Undefined where it is not configured; so for BTCPay. */
  stripe: Omit<StripeOptions, Shared> | undefined
  btcpay: Omit<BtcpayOptions, Shared> | undefined
  /** `auto`: where neither Stripe nor BTCPay is configured and the site is on this very machine. */
  sandbox: 'auto' | 'on' | 'off'
  /** Where the site is by the settings. */
  configuredSite: string
  /** The address that it really has, without a slash at the end: known only when the site listens. */
  siteUrl: () => string
  serviceKey: Uint8Array
  /** How old a signed webhook may be, in milliseconds; so all times here. */
  tolerance: number
  /** For one call to a provider. */
  timeout: number
}

export interface Providers {
  /** Those that are switched on, real ones first: a plan is bought from the first one that sells it. */
  all: readonly PaymentProvider[]
  /** The built-in checkout, if it is one of them. */
  sandbox: Sandbox | undefined
}

/** Who takes money, as the configuration says. */
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
