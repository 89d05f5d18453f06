import type { MessageSummary } from '@mayfly/client'
import { Button } from '../../../../src/web/components/button.tsx'
import { senderName } from '../../../../src/web/components/sender.ts'
import { dateFormat } from '../../../../src/web/i18n/dates.ts'
import { useLanguage, useText } from '../../../../src/web/i18n/text.tsx'
import type { Held } from '../state/state.ts'
import { Found, type PageOfTab } from './found.tsx'
import type { LiveInbox } from './use-inbox.ts'
import css from './popup.module.css'

interface Props {
  held: Held
  inbox: LiveInbox
  tab: PageOfTab
  onOpen: (message: MessageSummary) => void
  onNew: () => void
  onConnect: () => void
}

/** The messages of an address. */
export function Inbox({ held, inbox: { messages, status }, tab, onOpen, onNew, onConnect }: Props) {
  const text = useText()
  const { format } = useLanguage()
  if (status === 'ended' && held.label !== null)
    return (
      <section className={css.empty}>
        <p>{text('extension.connectFailed')}</p>
        <Button look="main" onClick={onConnect}>
          {text('extension.kept')}
        </Button>
      </section>
    )
  if (status === 'ended')
    return (
      <section className={css.empty}>
        <h2>{text('home.ended')}</h2>
        <Button look="main" onClick={onNew}>
          {text('home.getNewAddress')}
        </Button>
      </section>
    )
  return (
    <section className={css.inbox}>
      <div className={css.bar}>
        <h2>{text('inbox.title')}</h2>
        <span className={css.status} data-status={status} role="status">
          {text(`live.${status}`)}
        </span>
      </div>
      {messages.length === 0 && status === 'live' ? (
        <div className={css.empty}>
          <p>{text('inbox.empty')}</p>
          <p>{text('inbox.waiting')}</p>
        </div>
      ) : null}
      <ul>
        {messages.map((message) => (
          <li key={message.id} data-unread={!message.seen || undefined}>
            <button type="button" className={css.row} onClick={() => onOpen(message)}>
              <span className={css.sender}>
                <bdi>{senderName(message.from) || text('inbox.noSender')}</bdi>
              </span>
              <time dateTime={message.receivedAt}>
                {dateFormat(format, { time: true }).format(new Date(message.receivedAt))}
              </time>
              <span className={css.subject}>
                <bdi>{message.subject || text('inbox.noSubject')}</bdi>
              </span>
            </button>
            <Found message={message} held={held} tab={tab} />
          </li>
        ))}
      </ul>
    </section>
  )
}
