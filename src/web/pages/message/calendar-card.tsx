import { CalendarDays } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CalendarEventJson } from '#contract/message-content.ts'
import { EmailAddress } from '../../components/email-address.tsx'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { eventText, kindOf } from './event-time.ts'
import css from './calendar-card.module.css'

interface Props {
  event: CalendarEventJson
  /** Renders the link that downloads the calendar file. */
  renderDownload: (index: number, content: ReactNode) => ReactNode
}

/** An invitation: what, when in the reader's time zone, where, and its file. */
export function CalendarCard({ event, renderDownload }: Props) {
  const text = useText()
  const { format } = useLanguage()
  const hydrated = useHydrated()
  const { kind, summary, start, location, organizer, recurring, attachment } = event
  const zones = {
    days: '',
    local: text('calendar.noZone'),
    // The server doesn't know the visitor's time zone.
    point: hydrated ? new Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC',
  }
  return (
    <section className={css.card} data-kind={kind} aria-labelledby="event-title">
      <p className={css.kind}>
        <CalendarDays size={18} aria-hidden />
        {text(`calendar.${kind}`)}
      </p>
      <h2 id="event-title">
        <bdi>{summary || text('inbox.noSubject')}</bdi>
      </h2>
      <dl>
        <dt>{text('calendar.when')}</dt>
        <dd>
          {eventText(event, format, hydrated ? undefined : 'UTC', hydrated)}{' '}
          <span className={css.zone}>{zones[kindOf(start)]}</span>
          {recurring ? <span className={css.zone}>{text('calendar.recurring')}</span> : null}
        </dd>
        {location ? (
          <>
            <dt>{text('calendar.where')}</dt>
            <dd>
              <bdi>{location}</bdi>
            </dd>
          </>
        ) : null}
        {organizer ? (
          <>
            <dt>{text('calendar.organizer')}</dt>
            <dd>{organizer.name ? <bdi>{organizer.name}</bdi> : <EmailAddress>{organizer.address}</EmailAddress>}</dd>
          </>
        ) : null}
      </dl>
      {attachment === null ? null : renderDownload(attachment, text('calendar.download'))}
    </section>
  )
}
