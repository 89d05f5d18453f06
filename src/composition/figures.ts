import type { Config } from '#config/table.ts'
import type { Figures } from '#content/figures.ts'
import { DAY } from '#core/time.ts'
import { getNumberFormat } from '#web/i18n/formats.ts'
import { sizeText } from '#web/i18n/size.ts'

/** What Premium includes, for the texts of the site. */
export const premiumFigures =
  ({ premium }: Pick<Config, 'premium'>) =>
  (locale: string): Figures => {
    const number = (count: number): string | null => (count === 0 ? null : getNumberFormat(locale).format(count))
    return {
      addresses: number(premium.addresses),
      storage: sizeText(premium.storageBytes, locale),
      messageSize: sizeText(premium.maxMessageBytes, locale),
      days: number(premium.retention / DAY),
      ownDomains: number(premium.ownDomains),
      destinations: number(premium.destinations),
      keyRequests: number(premium.keyRequestsPerSecond),
      keyAddresses: premium.apiKeys === 0 ? null : number(premium.keyAddresses),
    }
  }
