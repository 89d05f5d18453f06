import type { Config } from '#config/table.ts'
import { PLANS } from '#core/billing/plan.ts'
import type { IsOurs } from '#core/mailbox/domain.ts'
import { DAY, HOUR } from '#core/time.ts'
import {
  createBilling,
  createEndings,
  createGrants,
  createOrders,
  createReconciliation,
  createSettler,
  createSubscriptions,
  simulatePayment,
} from '#features/billing/index.ts'
import type { Providers } from '#integrations/providers.ts'
import { createPeriodic } from '#lib/periodic.ts'
import type { Base } from './base.ts'

/** How often subscriptions are checked for an end. */
const ENDINGS_INTERVAL = HOUR / 4
/** How often all payments are compared with the providers. */
const RECONCILE_INTERVAL = DAY

/** Orders, payments, and what happens when a subscription ends. */
export function composeBilling(config: Config, base: Base, { all: providers, sandbox }: Providers, isOurs: IsOurs) {
  const { clock, logger, metrics, store, wrap, emails, lifetimes, limits, ends: rules, pageUrl } = base
  const { orders: orderStore, subscriptions } = store
  const accountUrl = pageUrl('/account')
  const endings = createEndings({
    subscriptions,
    keptAddresses: store.keptAddresses,
    ownDomains: store.ownDomains,
    emails,
    wrap,
    clock,
    metrics,
    rules,
    lifetimes,
    accountUrl,
    premiumUrl: pageUrl('/premium'),
    batchSize: limits.endingsBatch,
  })
  const { premium } = config
  const orders = createOrders({
    orders: orderStore,
    providers,
    wrap,
    clock,
    metrics,
    prices: {
      currency: premium.currency,
      month: premium.monthPrice,
      year: premium.yearPrice,
      cryptoYear: premium.cryptoYearPrice,
      cryptoYearsMax: premium.maxCryptoYears,
      addedTaxBasisPoints: premium.tax === 'added' ? premium.taxBasisPoints : 0,
    },
    rules,
    orderUrl: (id, language) => pageUrl(`/checkout?order=${id}`)(language),
    premiumUrl: pageUrl('/premium'),
    isOurs,
  })
  const settler = createSettler({
    subscriptions,
    ownDomains: store.ownDomains,
    emails,
    wrap,
    clock,
    metrics,
    logger,
    rules,
    accountUrl,
    align: endings.align,
  })
  const billing = createBilling({ orders: orderStore, subscriptions, providers, settler, clock, logger, metrics })
  const grants = createGrants({
    orders: orderStore,
    subscriptions,
    settler,
    wrap,
    clock,
    currency: premium.currency,
    isOurs,
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
  const periodic = { store, clock, logger, atStart: true, mayRun: base.clockWatch.isSteady }
  return {
    endings,
    orders,
    billing,
    grants,
    reconciliation,
    subscriptions: createSubscriptions({ subscriptions, wrap, clock, rules }),
    simulatePayment: simulatePayment({ orders: orderStore, billing, sandbox }),
    /** The plans that can be bought here, and whether no money moves. */
    sold: {
      plans: PLANS.filter((plan) => providers.some(({ plans }) => plans.includes(plan))),
      sandbox: sandbox !== undefined,
    },
    billingWork: [
      createPeriodic({
        ...periodic,
        name: 'subscription ends',
        interval: ENDINGS_INTERVAL,
        work: endings.run,
      }),
      createPeriodic({
        ...periodic,
        name: 'repair after subscription ends',
        interval: DAY,
        work: endings.heal,
      }),
      reconciliation,
    ],
  }
}
