import { useHydrated } from '../hooks/use-hydrated.ts'
import { dateFormat } from '../i18n/dates.ts'
import { type MessageKey, useLanguage, useText } from '../i18n/text.tsx'

/** Until when, in a sentence. The server doesn't know the visitor's time zone, so it says UTC. */
export function When({ words, at, day = 'long' }: { words: MessageKey; at: string; day?: 'long' | 'short' }) {
  const text = useText()
  const { format } = useLanguage()
  const hydrated = useHydrated()
  const shape = { day, time: true, zone: hydrated ? undefined : 'UTC' } as const
  return text(words, { time: dateFormat(format, shape).format(new Date(at)) + (hydrated ? '' : ' UTC') })
}
