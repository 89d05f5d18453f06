import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { MINUTE } from '#core/time.ts'
import { AuthBadge, AuthReason } from '../../components/authenticity.tsx'
import { CodeOrLink } from '../../components/code-or-link.tsx'
import { senderName } from '../../components/sender.ts'
import { Time, TimeSentence } from '../../components/time.tsx'
import { useText } from '../../i18n/text.tsx'
import type { MessageData } from './message-data.ts'
import { isForgery, LinkReport, TrackerReport } from './notices.tsx'
import css from './message-head.module.css'

/** Whether the arrival of a message differs from its Date header by more than ten minutes. Times are RFC 3339. */
export const differsMuch = (date: string, receivedAt: string): boolean =>
  Math.abs(Date.parse(date) - Date.parse(receivedAt)) > 10 * MINUTE

interface Props {
  message: MessageData
  /** The text that says why remote images are not loaded. */
  remote: string
  /** What follows the details. */
  children: ReactNode
}

/** Subject, sender with its badge, time, code or link. Everything else is folded. */
export function MessageHead({ message, remote, children }: Props) {
  const text = useText()
  const title = useRef<HTMLHeadingElement>(null)
  const { from, to, subject, date, receivedAt, authentication, trackers } = message
  useEffect(() => title.current?.focus(), [])
  return (
    <header className={css.head}>
      <h1 id="message-title" ref={title} tabIndex={-1} dir="auto">
        {subject || text('inbox.noSubject')}
      </h1>
      <p className={css.sender}>
        <bdi className={css.name}>{senderName(from) || text('inbox.noSender')}</bdi>
        <AuthBadge authentication={authentication} forged={isForgery(message)} />
      </p>
      <details className={css.details}>
        <summary>
          <Time at={receivedAt} whole />
          <span className={css.more}>
            {text('message.details')}
            <ChevronDown size={16} aria-hidden />
          </span>
        </summary>
        <dl className={css.fields}>
          <dt>{text('message.from')}</dt>
          <dd>
            <bdi>{from.name}</bdi>{' '}
            <bdi className={css.soft}>
              {from.name ? from.address && `<${from.address}>` : from.address || text('inbox.noSender')}
            </bdi>
            <AuthReason authentication={authentication} />
          </dd>
          <dt>{text('message.to')}</dt>
          <dd>
            <bdi>{to}</bdi>
          </dd>
          <dt>{text('message.date')}</dt>
          <dd>
            <Time at={date ?? receivedAt} whole />
            {date !== null && differsMuch(date, receivedAt) ? (
              <span className={css.arrived}>
                <TimeSentence words="message.arrived" at={receivedAt} />
              </span>
            ) : null}
          </dd>
          <dt>{text('message.subject')}</dt>
          <dd>
            <bdi>{subject || text('inbox.noSubject')}</bdi>
          </dd>
          <LinkReport message={message} />
          <TrackerReport trackers={trackers} words={remote} />
        </dl>
        {children}
      </details>
      <CodeOrLink message={message} />
    </header>
  )
}
