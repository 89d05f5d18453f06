import type { PaymentProvider } from '#core/billing/payment.ts'
import { PROVIDER_NAMES, type ProviderName } from '#core/billing/provider.ts'
import { isLocalSite } from '#core/local-site.ts'
import type { BtcpayOptions } from './btcpay/btcpay.ts'
import type { PaymentPorts } from './payment-ports.ts'
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts'
import type { StripeOptions } from './stripe/stripe.ts'

type Shared = 'tolerance' | 'timeout'

export interface ProvidersOptions {
  /** Undefined if it is not configured. Also for BTCPay. */
  stripe: Omit<StripeOptions, Shared> | undefined
  btcpay: Omit<BtcpayOptions, Shared> | undefined
  /** `auto`: on if neither Stripe nor BTCPay is configured and the site is on this machine. */
  sandbox: 'auto' | 'on' | 'off'
  /** The URL of the site in the settings. */
  configuredSite: string
  /** The actual URL of the site, without a trailing slash. It is known only after the server listens. */
  siteUrl: () => string
  serviceKey: Uint8Array
  /** The maximum age of a signed payment event, in milliseconds. */
  tolerance: number
  /** Timeout of one call to a provider, in milliseconds. */
  timeout: number
}

export interface Providers {
  /** The enabled providers in the order of preference: the first one that sells a plan is used for it. */
  all: readonly PaymentProvider[]
  /** The sandbox, if it is enabled. */
  sandbox: Sandbox | undefined
}

/** Creates the configured providers. Libraries of the others are not loaded. */
export async function createProviders(options: ProvidersOptions, ports: PaymentPorts): Promise<Providers> {
  const { stripe, btcpay, tolerance, timeout } = options
  const external = {
    stripe: stripe && (await import('./stripe/stripe.ts')).createStripe({ ...stripe, tolerance, timeout }, ports),
    btcpay: btcpay && (await import('./btcpay/btcpay.ts')).createBtcpay({ ...btcpay, tolerance, timeout }, ports),
  }
  const hasExternal = Object.values(external).some((provider) => provider !== undefined)
  const sandbox = isSandboxOn(options, hasExternal) ? createSandbox(options, ports) : undefined
  const created: Record<ProviderName, PaymentProvider | undefined> = { ...external, sandbox, operator: undefined }
  return { all: PROVIDER_NAMES.flatMap((name) => created[name] ?? []), sandbox }
}

function isSandboxOn({ sandbox, configuredSite }: ProvidersOptions, hasExternal: boolean): boolean {
  return sandbox === 'auto' ? !hasExternal && isLocalSite(configuredSite) : sandbox === 'on'
}
