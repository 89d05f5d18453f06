import type { Config } from '#config/table.ts'
import type { Figures } from '#content/figures.ts'
import { MOST_WAIT } from '#contract/messages.ts'
import type { LimitsJson } from '#contract/operator.ts'
import { LOGIN_MAX_LENGTH, LOGIN_MIN_LENGTH } from '#core/mailbox/login.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#core/time.ts'
import { KEPT_FOR } from '#http/auth/earlier-addresses.ts'
import { getNumberFormat } from '#web/i18n/formats.ts'
import { priceFormat } from '#web/i18n/price.ts'
import { sizeText } from '#web/i18n/size.ts'

/** The numbers that interface texts mention. */
export const limitsOf = ({ mailbox, ownDomains }: Pick<Config, 'mailbox' | 'ownDomains'>): LimitsJson => ({
  addressHours: mailbox.addressLifetime / HOUR,
  shortMinutes: mailbox.tenMinutesLifetime / MINUTE,
  quarantineDays: mailbox.quarantine / DAY,
  earlierDays: KEPT_FOR / DAY,
  domainFailingDays: ownDomains.failingTime / DAY,
  loginMin: LOGIN_MIN_LENGTH,
  loginMax: LOGIN_MAX_LENGTH,
})

/** What the texts of the site say about the configuration. `siteUrl` is known when the servers have started. */
export function figuresOf(config: Config, siteUrl: () => string): (locale: string) => Figures {
  const { premium, mailbox, http, forwarding, accounts, payments, webhooks } = config
  const orNone = (count: number): number | null => (count === 0 ? null : count)
  const counts = {
    ...limitsOf(config),
    messageHours: mailbox.retention / HOUR,
    operatorDays: mailbox.operatorRetention / DAY,
    requests: http.requestsPerSecond,
    createSeconds: http.addressCreateSeconds,
    createBurst: http.addressCreateBurst,
    streams: http.maxStreamsPerClient,
    waitSeconds: MOST_WAIT,
    forwardDays: forwarding.days,
    freeDestinations: forwarding.destinations,
    forwardLogDays: forwarding.logTime / DAY,
    addresses: premium.addresses,
    days: premium.retention / DAY,
    ownDomains: orNone(premium.ownDomains),
    destinations: premium.destinations,
    keys: orNone(premium.apiKeys),
    keyRequests: premium.keyRequestsPerSecond,
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
