import { DAY, MINUTE } from '#core/time.ts'
import { useHydrated } from '../hooks/use-hydrated.ts'
import { useNow } from '../hooks/use-now.ts'
import { dateFormat } from '../i18n/dates.ts'
import { type MessageKey, useLanguage, useText } from '../i18n/text.tsx'

/**
 * A point in time: the time of day within the last 24 hours, else the date. `day`: always the date. `whole`: both. The
 * server doesn't know the visitor's time zone and renders UTC.
 */
export function Time({ at, whole = false, day = false }: { at: string; whole?: boolean; day?: boolean }) {
  const { format } = useLanguage()
  const hydrated = useHydrated()
  const now = useNow(MINUTE)
  const date = new Date(at)
  const old = hydrated && now - date.getTime() > DAY
  const shape = day
    ? ({ day: 'short' } as const)
    : whole
      ? ({ day: 'long', time: true } as const)
      : old
        ? ({ day: 'short' } as const)
        : { time: true }
  const text = dateFormat(format, { ...shape, zone: hydrated ? undefined : 'UTC' }).format(date)
  return (
    <time dateTime={at}>
      {text}
      {whole && !hydrated ? ' UTC' : ''}
    </time>
  )
}

/** A sentence with a time in it. The server doesn't know the visitor's time zone and renders UTC. */
export function TimeSentence({ words, at, day = 'long' }: { words: MessageKey; at: string; day?: 'long' | 'short' }) {
  const text = useText()
  const { format } = useLanguage()
  const hydrated = useHydrated()
  const shape = { day, time: true, zone: hydrated ? undefined : 'UTC' } as const
  return text(words, { time: dateFormat(format, shape).format(new Date(at)) + (hydrated ? '' : ' UTC') })
}
