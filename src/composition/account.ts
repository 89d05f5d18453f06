import type { Config } from '#config/table.ts'
import type { PaymentProvider } from '#core/billing/payment.ts'
import type { Subscription } from '#core/billing/subscription.ts'
import {
  createAccount,
  createAccountDeletion,
  createAccountExport,
  createApiKeys,
  createKeptAddresses,
  createLockOut,
  createPaidSignIn,
  createSignIn,
} from '#features/account/index.ts'
import type { Billing } from '#features/billing/index.ts'
import type { OwnDomains } from '#features/own-domains/index.ts'
import { createPrivateAddresses, createPrivateDeliveries, createPrivateMessages } from '#features/private/index.ts'
import type { Base } from './base.ts'
import { type Mailbox, VISIT_GRANULARITY } from './mailbox.ts'

/** How long a sign-in link works. */
const SIGN_IN_LINK_MINUTES = 15

/** Sign-in, account, kept and private addresses, and API keys of subscribers. */
export function composeAccount(
  config: Config,
  base: Base,
  { addresses, names, claims, secrets }: Mailbox,
  {
    ownDomains,
    providers,
    billing,
  }: { ownDomains: OwnDomains; providers: readonly PaymentProvider[]; billing: Billing },
) {
  const { clock, logger, store, bus, wrap, opener, emails, lifetimes, limits, ends: rules, pageUrl } = base
  const { accounts, keptAddresses, subscriptions } = store
  const verifiedDomains = async (subscription: Subscription): Promise<readonly string[]> => {
    const list = await ownDomains.list(subscription)
    return list.filter(({ state }) => state !== 'pending').map(({ name }) => name)
  }
  const account = createAccount({
    orders: store.orders,
    subscriptions,
    accounts,
    keptAddresses,
    providers,
    wrap,
    clock,
    rules,
    backUrl: pageUrl('/account/billing?from=portal'),
    storageBytes: config.premium.storageBytes,
    limits: { addresses: config.premium.addresses, domains: config.premium.ownDomains },
  })
  const kept = createKeptAddresses({
    store: keptAddresses,
    addresses,
    names,
    claims,
    secrets,
    ownDomains: verifiedDomains,
    bus,
    clock,
    wrap,
    rules,
    maxAddresses: config.premium.addresses,
    maxLabelCharacters: limits.labelCharacters,
  })
  const apiKeys = createApiKeys({
    store: store.apiKeys,
    addresses: { ofKeys: store.addresses.ofKeys, removeRow: addresses.removeRow },
    subscriptions,
    names,
    claims,
    bus,
    ownDomains: verifiedDomains,
    wrap,
    clock,
    rules: {
      ends: rules,
      maxKeys: config.premium.apiKeys,
      maxAddresses: config.premium.keyAddresses,
      maxLabelCharacters: limits.labelCharacters,
      cacheTime: config.premium.keyCacheTime,
    },
  })

  return {
    signIn: createSignIn({
      accounts,
      subscriptions,
      emails,
      wrap,
      clock,
      logger,
      rules,
      linkUrl: (language, token) => pageUrl(`/account?link=${token}`)(language),
      linkMinutes: SIGN_IN_LINK_MINUTES,
      linksMax: config.accounts.maxSignInLinks,
      codePause: limits.codePause,
      sessionLifetime: config.accounts.sessionLifetime,
      lockOut: createLockOut({ kept, secrets, addresses }),
    }),
    paidSignIn: createPaidSignIn({
      orders: store.orders,
      accounts,
      subscriptions,
      wrap,
      clock,
      sessionLifetime: config.accounts.sessionLifetime,
    }),
    account,
    ...createAccountDeletion({
      store,
      providers,
      billing,
      bus,
      wrap,
      clock,
      logger,
      quarantine: lifetimes.quarantine,
    }),
    exportAccount: createAccountExport({ store, wrap, opener, clock, pageSize: limits.exportBatch }),
    keptAddresses: kept,
    apiKeys,
    privateAddresses: createPrivateAddresses({
      store: store.addresses,
      kept,
      clock,
      lifetimes,
      visitGranularity: VISIT_GRANULARITY,
    }),
    privateDeliveries: createPrivateDeliveries({
      store: store.deliveries,
      opener,
      bus,
      clock,
      retention: base.retention,
    }),
    privateMessages: createPrivateMessages({
      store: store.messages,
      opener,
      bus,
      clock,
      pageSize: config.mailbox.pageSize,
    }),
  }
}
