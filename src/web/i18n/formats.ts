/** Returns a function that creates each formatter once. Creating one takes longer than rendering a row. */
function kept<Options, Format>(create: new (locale: string, options?: Options) => Format) {
  const formats = new Map<string, Format>()
  return (locale: string, options?: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`
    const format = formats.get(key) ?? new create(locale, options)
    formats.set(key, format)
    return format
  }
}

export const getDateTimeFormat = kept<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(Intl.DateTimeFormat)
export const getNumberFormat = kept<Intl.NumberFormatOptions, Intl.NumberFormat>(Intl.NumberFormat)
export const getPluralRules = kept<Intl.PluralRulesOptions, Intl.PluralRules>(Intl.PluralRules)
