import { type ReactNode, useEffect, useRef } from 'react'
import type { AttachmentJson } from '#contract/messages.ts'
import { Authenticity } from '../../components/authenticity.tsx'
import { CodeOrLink } from '../../components/code-or-link.tsx'
import { Time, TimeSentence } from '../../components/time.tsx'
import { useText } from '../../i18n/text.tsx'
import { MessageBody, type MessageData, type Renderers } from './message-body.tsx'
import { Resources } from './resources.tsx'
import css from './message.module.css'

const TEN_MINUTES = 10 * 60_000

interface Props {
  message: MessageData
  renderers: Renderers
  /** Renders the download link or button around an attachment's name and size. */
  renderAttachment: (file: AttachmentJson, content: ReactNode) => ReactNode
}

/** Whether the arrival of a message differs from its Date header by more than ten minutes. Times are RFC 3339. */
export const differsMuch = (date: string, receivedAt: string): boolean =>
  Math.abs(Date.parse(date) - Date.parse(receivedAt)) > TEN_MINUTES

/** A message with sender, times, code or link, body and attachments. */
export function MessageSheet({ message, renderers, renderAttachment }: Props) {
  const text = useText()
  const title = useRef<HTMLHeadingElement>(null)
  const { from, to, subject, date, receivedAt, authentication, attachments } = message
  useEffect(() => title.current?.focus(), [])
  return (
    <div className={css.sheet}>
      <header className={css.head}>
        <h1 id="message-title" ref={title} tabIndex={-1}>
          <bdi>{subject || text('inbox.noSubject')}</bdi>
        </h1>
        <CodeOrLink message={message} />
        <dl className={css.fields}>
          <dt>{text('message.from')}</dt>
          <dd>
            <bdi>{from.name}</bdi>{' '}
            <bdi className={css.soft}>{from.name ? `<${from.address}>` : from.address || text('inbox.noSender')}</bdi>
            <Authenticity authentication={authentication} />
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
          <dt>{text('message.resources')}</dt>
          <dd>
            <Resources attachments={attachments}>{renderAttachment}</Resources>
          </dd>
        </dl>
      </header>
      <MessageBody message={message} renderers={renderers} />
    </div>
  )
}
