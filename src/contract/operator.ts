/** Who runs the service, for the legal notice. Null: the operator did not set it. */
export type OperatorJson = Record<'name' | 'address' | 'email' | 'law', string | null>

/** The domains that Premium adds to the free ones: those of the service that are reserved, and those of the subscriber. */
export const EXTRA_DOMAINS = ['both', 'premium', 'own', 'none'] as const
export type ExtraDomains = (typeof EXTRA_DOMAINS)[number]

/** Values of the configuration that every interface text can use as ICU arguments. */
export type LimitsJson = Record<
  'addressHours' | 'shortMinutes' | 'quarantineDays' | 'earlierDays' | 'domainFailingDays' | 'loginMin' | 'loginMax',
  number
> & { extraDomains: ExtraDomains }
