import { PLANS } from '#core/plan.ts'
import type { Lifetimes } from '#core/lifetime.ts'
import type { Clock, EventBus, Logger, Metrics, Store } from '#core/ports.ts'
import type { EndRules, Subscription, SubscriptionId } from '#core/subscription.ts'
import type { Config } from '#config/table.ts'
import { createAccount } from '#features/account.ts'
import { createAccountErase } from '#features/account-erase.ts'
import { createAccountExport } from '#features/account-export.ts'
import { createBilling } from '#features/billing.ts'
import { createGrants } from '#features/grants.ts'
import type { AddressNames } from '#features/address-names.ts'
import type { Addresses } from '#features/addresses.ts'
import type { Claims } from '#features/claims.ts'
import { createApiKeys } from '#features/api-keys.ts'
import { createEndings } from '#features/endings.ts'
import { createLetterSender } from '#features/letter-sender.ts'
import { createLetters } from '#features/letters.ts'
import { createOrders } from '#features/orders.ts'
import { createPeriodic } from '#features/periodic.ts'
import { createReconciliation } from '#features/reconciliation.ts'
import { playOutcome } from '#features/sandbox.ts'
import { createSettler } from '#features/settler.ts'
import { createSignIn } from '#features/sign-in.ts'
import { createSignLetter } from '#features/signed-letters.ts'
import { createSigningKey } from '#features/signing-key.ts'
import { createSubscriptions } from '#features/subscriptions.ts'
import { pathIn } from '#locales/languages.ts'
import type { Opener } from '#mail/sealing/open.ts'
import type { Seal } from '#mail/sealing/seal.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { assembleKept } from './assembly-kept.ts'
import { paymentProviders } from './assembly-payments.ts'
import { assembleOutbound, outboxPruning } from './assembly-operating.ts'
import { assembleOwnDomains } from './assembly-own-domains.ts'
import { assembleWebhooks } from './assembly-webhooks.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
/** How often it is looked whose end is near. */
const ENDINGS_INTERVAL = HOUR / 4
/** How long a stop waits for mails that are being handed over. */
const LETTERS_GRACE = 2 * SECOND
/** How long a stop waits for calls to webhooks that are under way. */
const WEBHOOKS_GRACE = 2 * SECOND
const RELAY_CONNECTIONS = 4
const EXPORT_PAGE = 200
/** Subscriptions that periodic work reads at once. */
const STEP = 200

/** What Premium stands on. */
export interface PremiumBase {
  clock: Clock
  logger: Logger
  metrics: Metrics
  key: Uint8Array
  store: Store
  bus: EventBus
  lifetimes: Lifetimes
  names: AddressNames
  claims: Claims
  seal: Seal
  opener: Opener
  /** Since when what is wrapped is bound to its row (`createWrap`). */
  boundFrom: number
  /** Of mail of any kind of address, in milliseconds. */
  longestRetention: number
  addresses: Addresses
  /** How much a visit must gain before it is written down, in milliseconds. */
  visitGranularity: number
}

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
  const sender = createLetterSender({
    store: store.letters,
    outbound,
    sign: createSignLetter(signingKey, from),
    wrap,
    clock,
    logger,
    metrics,
    settings: { from, siteUrl: () => site.url, freeHours: config.ADDRESS_LIFETIME_HOURS },
    random: Math.random,
    timeout,
    retryFor: config.OUTBOUND_RETRY_HOURS * HOUR,
  })
  const letters = createLetters({ store, sender, wrap, clock, logger })

  const { accounts, keptAddresses } = store
  const signIn = createSignIn({
    accounts,
    subscriptions,
    letters,
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
    letters,
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
  const settler = createSettler({ subscriptions, letters, wrap, clock, metrics, rules, accountUrl, align })
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
    letters,
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
      await Promise.all([letters.stop(LETTERS_GRACE), webhookSender.stop(WEBHOOKS_GRACE)])
      await outbound.close()
    },
  }
}
