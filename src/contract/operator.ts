/** Who runs the service, for the legal notice. Null: the operator did not set it. */
export type OperatorJson = Record<'name' | 'address' | 'email' | 'law', string | null>

/** Numbers of the configuration. Every interface text may have them as ICU arguments. */
export type LimitsJson = Record<
  'addressHours' | 'shortMinutes' | 'quarantineDays' | 'earlierDays' | 'domainFailingDays' | 'loginMin' | 'loginMax',
  number
>
