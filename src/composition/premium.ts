import type { Config } from '#config/table.ts'
import { PLANS } from '#core/billing/plan.ts'
import type { EndRules, Subscription } from '#core/billing/subscription.ts'
import type { SubscriptionId } from '#core/ids.ts'
import { DAY, HOUR, SECOND } from '#core/time.ts'
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
import { assembleKept, LABEL_MAX_CHARACTERS } from './kept-addresses.ts'
import { assembleOutbound, outboxPruning } from './operating.ts'
import { assembleOwnDomains } from './own-domains.ts'
import { paymentProviders } from './payments.ts'
import { assembleWebhooks } from './webhooks.ts'

/** How long an email that the relay does not take is tried again. */
const EMAIL_RETRY_FOR = DAY
/** How long a sign-in link works. */
const SIGN_IN_LINK_MINUTES = 15
/** How often all payments are compared with the providers. */
const RECONCILE_INTERVAL = DAY
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
  const rules: EndRules = { grace: config.premium.grace, notice: config.premium.notice }
  /** Where the site is; with a port that is chosen at the start it is known only then. */
  const site = { url: config.server.publicUrl ?? `http://localhost:${config.server.httpPort}` }
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

  const from = config.email.from ?? `noreply@${config.server.domains[0] ?? 'localhost'}`
  const timeout = config.email.timeout
  const outbound = assembleOutbound(config, { from, maxConnections: RELAY_CONNECTIONS, clock, logger })
  const signingKey = createSigningKey({ store, wrap, selector: config.email.dkimSelector })
  const sender = createEmailSender({
    store: store.emails,
    outbound,
    sign: createSignEmail(signingKey, from),
    wrap,
    clock,
    logger,
    metrics,
    settings: { from, siteUrl: () => site.url, freeHours: config.mailbox.addressLifetime },
    random: Math.random,
    timeout,
    retryFor: EMAIL_RETRY_FOR,
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
    linkMinutes: SIGN_IN_LINK_MINUTES,
    linksMax: config.accounts.maxSignInLinks,
    sessionLifetime: config.accounts.sessionLifetime,
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
    storageBytes: config.premium.storageBytes,
    limits: { addresses: config.premium.addresses, domains: config.premium.ownDomains },
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
      currency: config.premium.currency,
      month: config.premium.monthPrice,
      year: config.premium.yearPrice,
      cryptoYear: config.premium.cryptoYearPrice,
      cryptoYearsMax: config.premium.maxCryptoYears,
      addedTaxBasisPoints: config.premium.tax === 'added' ? config.premium.taxBasisPoints : 0,
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
    currency: config.premium.currency,
  })
  const reconciliation = createReconciliation({
    store,
    providers,
    billing,
    clock,
    logger,
    metrics,
    interval: RECONCILE_INTERVAL,
    keepOrders: config.payments.keepOrders,
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
      maxKeys: config.premium.apiKeys,
      maxAddresses: config.premium.keyAddresses,
      maxLabelCharacters: LABEL_MAX_CHARACTERS,
      cacheTime: config.premium.keyCacheTime,
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
