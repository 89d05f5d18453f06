import type { Config } from '#config/table.ts'
import { PLANS } from '#core/billing/plan.ts'
import type { EndRules, Subscription } from '#core/billing/subscription.ts'
import type { SubscriptionId } from '#core/ids.ts'
import {
  createAccount,
  createAccountErase,
  createAccountExport,
  createApiKeys,
  createSignIn,
} from '#features/account/index.ts'
import {
  createBilling,
  createEndings,
  createGrants,
  createOrders,
  createReconciliation,
  createSettler,
  createSubscriptions,
  playOutcome,
} from '#features/billing/index.ts'
import { createEmailSender, createEmails, createSignEmail, createSigningKey } from '#features/email/index.ts'
import { createPeriodic } from '#lib/periodic.ts'
import { pathIn } from '#locales/languages.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { type PremiumBase } from './base.ts'
import { assembleKept } from './kept-addresses.ts'
import { assembleOutbound, outboxPruning } from './operating.ts'
import { assembleOwnDomains } from './own-domains.ts'
import { paymentProviders } from './payments.ts'
import { assembleWebhooks } from './webhooks.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
/** How often it is looked whose end is near. */
const ENDINGS_INTERVAL = HOUR / 4
/** How long a stop waits for mails that are being handed over. */
const EMAILS_GRACE = 2 * SECOND
/** How long a stop waits for calls to webhooks that are under way. */
const WEBHOOKS_GRACE = 2 * SECOND
const RELAY_CONNECTIONS = 4
const EXPORT_PAGE = 200
/** Subscriptions that periodic work reads at once. */
const STEP = 200

/** The wiring diagram of Premium: a part of `assemble`. */
export function assemblePremium(config: Config, base: PremiumBase) {
  const { clock, logger, metrics, store, bus, lifetimes } = base
  const wrap = createWrap(base.key, base.boundFrom)
  const rules: EndRules = { grace: config.PREMIUM_GRACE_DAYS * DAY, notice: config.PREMIUM_NOTICE_DAYS * DAY }
  /** Where the site is; with a port that is chosen at the start it is known only then. */
  const site = { url: config.PUBLIC_URL ?? `http://localhost:${config.HTTP_PORT}` }
  const pageUrl =
    (path: string) =>
    (language: string): string =>
      site.url + pathIn(language, path)
  const accountUrl = pageUrl('/account')
  const { orders: orderStore, subscriptions } = store
  const { all: providers, sandbox } = paymentProviders(
    config,
    { key: base.key, siteUrl: () => site.url },
    { orders: orderStore, clock, logger },
  )

  const from = config.OUTBOUND_FROM ?? `noreply@${config.DOMAINS[0] ?? 'localhost'}`
  const timeout = config.OUTBOUND_SECONDS * SECOND
  const outbound = assembleOutbound(config, { from, maxConnections: RELAY_CONNECTIONS, clock, logger })
  const signingKey = createSigningKey({ store, wrap, selector: config.DKIM_SELECTOR })
  const sender = createEmailSender({
    store: store.emails,
    outbound,
    sign: createSignEmail(signingKey, from),
    wrap,
    clock,
    logger,
    metrics,
    settings: { from, siteUrl: () => site.url, freeHours: config.ADDRESS_LIFETIME_HOURS },
    random: Math.random,
    timeout,
    retryFor: config.OUTBOUND_RETRY_HOURS * HOUR,
  })
  const emails = createEmails({ store, sender, wrap, clock, logger })

  const { accounts, keptAddresses } = store
  const signIn = createSignIn({
    accounts,
    subscriptions,
    emails,
    wrap,
    clock,
    logger,
    rules,
    linkUrl: (language, token) => pageUrl(`/account?link=${token}`)(language),
    linkMinutes: config.SIGN_IN_LINK_MINUTES,
    linksMax: config.SIGN_IN_LINKS_MAX,
    sessionLifetime: config.SESSION_DAYS * DAY,
  })
  const account = createAccount({
    subscriptions,
    accounts,
    keptAddresses,
    providers,
    wrap,
    clock,
    rules,
    backUrl: pageUrl('/account?from=portal'),
    storageBytes: config.PREMIUM_STORAGE_BYTES,
    limits: { addresses: config.PREMIUM_ADDRESSES, domains: config.PREMIUM_OWN_DOMAINS_MAX },
  })
  const { quarantine } = lifetimes
  const eraseAccount = createAccountErase({ store, providers, bus, wrap, clock, logger, quarantine })
  const exportAccount = createAccountExport({ store, wrap, opener: base.opener, clock, pageSize: EXPORT_PAGE })
  const endings = createEndings({
    subscriptions,
    keptAddresses,
    emails,
    wrap,
    clock,
    metrics,
    rules,
    lifetimes,
    accountUrl,
    premiumUrl: pageUrl('/premium'),
    step: STEP,
  })

  const orders = createOrders({
    orders: orderStore,
    providers,
    wrap,
    clock,
    metrics,
    prices: {
      currency: config.PREMIUM_CURRENCY,
      month: config.PREMIUM_MONTH_CENTS,
      year: config.PREMIUM_YEAR_CENTS,
      cryptoYear: config.PREMIUM_CRYPTO_YEAR_CENTS,
      cryptoYearsMax: config.PREMIUM_CRYPTO_YEARS_MAX,
      addedTaxBasisPoints: config.PREMIUM_TAX === 'added' ? config.PREMIUM_TAX_BASIS_POINTS : 0,
    },
    orderUrl: (id, language) => pageUrl(`/checkout?order=${id}`)(language),
    premiumUrl: pageUrl('/premium'),
  })
  const align = (id: SubscriptionId): Promise<void> => endings.align(id)
  const settler = createSettler({ subscriptions, emails, wrap, clock, metrics, rules, accountUrl, align })
  const billing = createBilling({ orders: orderStore, subscriptions, providers, settler, clock, logger, metrics })
  const grants = createGrants({
    orders: orderStore,
    subscriptions,
    settler,
    wrap,
    clock,
    currency: config.PREMIUM_CURRENCY,
  })
  const reconciliation = createReconciliation({
    store,
    providers,
    billing,
    clock,
    logger,
    metrics,
    interval: config.RECONCILE_HOURS * HOUR,
    keepOrders: config.ORDER_KEEP_DAYS * DAY,
  })

  const endingsWork = createPeriodic({
    store,
    clock,
    logger,
    name: 'endings',
    interval: ENDINGS_INTERVAL,
    atStart: true,
    work: (stopping) => endings.run(stopping),
  })
  const healing = createPeriodic({
    store,
    clock,
    logger,
    name: 'healing of endings',
    interval: DAY,
    atStart: true,
    work: (stopping) => endings.heal(stopping),
  })
  const { ownDomains, domainRecipient, work: domainsWork } = assembleOwnDomains(config, { ...base, wrap, ends: rules })
  const periodic = [endingsWork, healing, reconciliation, domainsWork, outboxPruning(config, base)]
  const verifiedDomains = async (subscription: Subscription): Promise<readonly string[]> => {
    const list = await ownDomains.list(subscription)
    return list.filter(({ state }) => state !== 'pending').map(({ name }) => name)
  }
  const own = assembleKept(config, { ...base, wrap, rules, ownDomains: verifiedDomains })

  const apiKeys = createApiKeys({
    store: store.apiKeys,
    addresses: store.addresses,
    subscriptions,
    names: base.names,
    claims: base.claims,
    bus,
    ownDomains: verifiedDomains,
    wrap,
    clock,
    rules: {
      ends: rules,
      maxKeys: config.PREMIUM_KEYS_MAX,
      maxAddresses: config.PREMIUM_KEY_ADDRESSES_MAX,
      maxLabelCharacters: config.PREMIUM_LABEL_MAX_CHARACTERS,
      cacheTime: config.PREMIUM_KEY_CACHE_SECONDS * SECOND,
    },
  })
  const { webhooks, webhookSender } = assembleWebhooks(config, { ...base, wrap, ends: rules })
  return {
    apiKeys,
    webhooks,
    webhookSender,
    site,
    wrap,
    signingKey,
    ...own,
    emails,
    signIn,
    account,
    eraseAccount,
    exportAccount,
    endings,
    orders,
    billing,
    grants,
    reconciliation,
    subscriptions: createSubscriptions({ subscriptions, wrap, clock, rules }),
    sandbox: playOutcome({ orders: orderStore, billing, sandbox }),
    /** What can be bought here, and whether no money moves. */
    sold: {
      plans: PLANS.filter((plan) => providers.some(({ plans }) => plans.includes(plan))),
      sandbox: sandbox !== undefined,
    },
    ownDomains,
    domainRecipient,
    periodic,
    /** To be called before the store is closed. */
    async close() {
      await Promise.all([...periodic.map((each) => each.stop()), signIn.settled()])
      await Promise.all([emails.stop(EMAILS_GRACE), webhookSender.stop(WEBHOOKS_GRACE)])
      await outbound.close()
    },
  }
}
