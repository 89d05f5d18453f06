import { useHydrated } from '../hooks/use-hydrated.ts'
import { usePage } from '../page.tsx'
import { useLanguage } from '../i18n/text.tsx'

const DAY = 24 * 3_600_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes longer than rendering a row. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, format)
  return format
}

/** When something was: the time today, the date before. The server doesn't know the visitor's time zone, so it says UTC. */
export function Time({ at, whole = false }: { at: string; whole?: boolean }) {
  const { locale } = useLanguage()
  const hydrated = useHydrated()
  const { payload } = usePage()
  const date = new Date(at)
  const zone = hydrated ? {} : { timeZone: 'UTC' }
  const options: Intl.DateTimeFormatOptions = whole
    ? { dateStyle: 'long', timeStyle: 'short' }
    : hydrated && payload.renderedAt - date.getTime() > DAY
      ? { month: 'short', day: 'numeric' }
      : { timeStyle: 'short' }
  return <time dateTime={at}>{formatOf(locale, { ...options, ...zone }).format(date)}</time>
}
