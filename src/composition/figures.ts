import { isOnlyLocal } from '#config/site.ts'
import type { Config } from '#config/table.ts'
import type { Figures } from '#content/figures.ts'
import type { ExtraDomains, LimitsJson, OperatorJson } from '#contract/operator.ts'
import { LOGIN_MAX_LENGTH, LOGIN_MIN_LENGTH } from '#core/mailbox/login.ts'
import { HELD_MAX } from '#core/mailbox/message.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#core/time.ts'
import { KEPT_FOR } from '#http/auth/earlier-addresses.ts'
import { PLACES_OF_KEY } from '#http/limits/held.ts'
import { getNumberFormat } from '#web/i18n/formats.ts'
import { priceFormat } from '#web/i18n/price.ts'
import { sizeText } from '#web/i18n/size.ts'
import { exemptLocally } from './local-limits.ts'

function extraDomainsOf({ premium, server }: Pick<Config, 'premium' | 'server'>): ExtraDomains {
  const own = premium.ownDomains > 0
  if (server.premiumDomains.length > 0) return own ? 'both' : 'premium'
  return own ? 'own' : 'none'
}

/** What interface texts mention. */
export const limitsOf = (config: Pick<Config, 'mailbox' | 'ownDomains' | 'premium' | 'server'>): LimitsJson => ({
  addressHours: config.mailbox.addressLifetime / HOUR,
  shortMinutes: config.mailbox.tenMinutesLifetime / MINUTE,
  quarantineDays: config.mailbox.quarantine / DAY,
  earlierDays: KEPT_FOR / DAY,
  domainFailingDays: config.ownDomains.failingTime / DAY,
  loginMin: LOGIN_MIN_LENGTH,
  loginMax: LOGIN_MAX_LENGTH,
  extraDomains: extraDomainsOf(config),
})

/** Who runs the service, as far as it is set. */
export const operatorOf = ({ operator: { name, address, email, law } }: Pick<Config, 'operator'>): OperatorJson => ({
  name: name ?? null,
  address: address ?? null,
  email: email ?? null,
  law: law ?? null,
})

/** What the texts of the site say about the configuration. `siteUrl` is known when the servers have started. */
export function figuresOf(config: Config, siteUrl: () => string): (locale: string) => Figures {
  const { premium, mailbox, http, forwarding, accounts, payments, webhooks } = config
  const orNone = (count: number): number | null => (count === 0 ? null : count)
  const exempt = exemptLocally(config)
  const isExempt = (['api', 'creations', 'streams'] as const).every((name) => exempt.includes(name))
  const counts = {
    ...limitsOf(config),
    // Whether the limits of the API apply to all clients, or not to programs on this machine. Clients of a container are on
    // another machine.
    rateLimits: isOnlyLocal(config) && isExempt ? ('local' as const) : ('all' as const),
    messageHours: mailbox.retention / HOUR,
    operatorDays: mailbox.operatorRetention / DAY,
    requests: http.requestsPerSecond,
    createSeconds: http.addressCreateSeconds,
    createBurst: http.addressCreateBurst,
    streams: http.maxStreamsPerClient,
    waitSeconds: HELD_MAX,
    forwardDays: forwarding.days,
    freeDestinations: forwarding.destinations,
    forwardLogDays: forwarding.logTime / DAY,
    addresses: premium.addresses,
    days: premium.retention / DAY,
    ownDomains: orNone(premium.ownDomains),
    destinations: premium.destinations,
    keys: orNone(premium.apiKeys),
    keyRequests: premium.keyRequestsPerSecond,
    keyStreams: PLACES_OF_KEY * http.maxStreamsPerClient,
    keyAddresses: premium.apiKeys === 0 ? null : orNone(premium.keyAddresses),
    webhooks: orNone(premium.webhooks),
    cryptoYears: premium.maxCryptoYears,
    noticeDays: premium.notice / DAY,
    graceDays: premium.grace / DAY,
    sessionDays: accounts.sessionLifetime / DAY,
    orderDays: payments.keepOrders / DAY,
    webhookSeconds: webhooks.timeout / SECOND,
    webhookOffDays: webhooks.offDays,
  }
  // What a year saves compared with twelve months, as the order form shows it.
  const saving = Math.floor((1 - premium.yearPrice / (12 * premium.monthPrice)) * 100) / 100
  return (locale) => {
    const price = priceFormat(locale, premium.currency)
    return {
      ...counts,
      freeMessageSize: sizeText(mailbox.maxMessageBytes, locale),
      freeStorage: sizeText(mailbox.storageBytes, locale),
      storage: sizeText(premium.storageBytes, locale),
      messageSize: sizeText(premium.maxMessageBytes, locale),
      monthPrice: price(premium.monthPrice),
      yearPrice: price(premium.yearPrice),
      cryptoYearPrice: price(premium.cryptoYearPrice),
      saving: saving >= 0.01 ? getNumberFormat(locale, { style: 'percent' }).format(saving) : null,
      siteUrl: siteUrl(),
      domain: config.server.domains[0] ?? null,
    }
  }
}
