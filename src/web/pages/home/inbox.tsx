import { Bell, BellOff, Volume2, VolumeX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Live } from '../../components/live.tsx'
import { Older } from '../../components/older.tsx'
import type { useAlerts } from '../../hooks/use-alerts.ts'
import type { Inbox } from '../../hooks/use-inbox.ts'
import { useText } from '../../i18n/text.tsx'
import { DeliveriesLink } from '../deliveries/deliveries-link.tsx'
import type { DeliveriesSource } from '../deliveries/deliveries-props.ts'
import { EmptyInbox } from './empty.tsx'
import { InboxRow } from './inbox-row.tsx'
import css from './inbox.module.css'

interface Props {
  inbox: Pick<Inbox, 'messages' | 'next' | 'status' | 'address' | 'arrived' | 'busy' | 'older' | 'ended' | 'failures'> &
    DeliveriesSource
  /** Whether the address is being created. */
  preparing: boolean
  alerts: ReturnType<typeof useAlerts>
  unread: number
}

/** The message table, or the notice that it is empty and waits for messages. */
export function InboxSection({ inbox, preparing, alerts: { alerts, toggle }, unread }: Props) {
  const text = useText()
  const { messages, next, status, address, arrived } = inbox
  return (
    <section className={css.inbox} aria-labelledby="inbox-title">
      <div className={css.head}>
        <h2 id="inbox-title">{text('inbox.title')}</h2>
        {unread > 0 ? <span className={css.unread}>{text('inbox.unread', { count: unread })}</span> : null}
        {address || preparing ? <Live status={status} /> : null}
        <div className={`${css.toggles} needs-script`}>
          <Toggle label={text('inbox.sound')} on={alerts.sound} onToggle={() => void toggle('sound')}>
            {alerts.sound ? <Volume2 size={18} aria-hidden /> : <VolumeX size={18} aria-hidden />}
          </Toggle>
          <Toggle label={text('inbox.notify')} on={alerts.notify} onToggle={() => void toggle('notify')}>
            {alerts.notify ? <Bell size={18} aria-hidden /> : <BellOff size={18} aria-hidden />}
          </Toggle>
        </div>
      </div>
      <div className={css.sheet}>
        {messages.length === 0 ? (
          <EmptyInbox listening={status === 'live'} waiting={!inbox.ended} />
        ) : (
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">{text('inbox.sender')}</th>
                <th scope="col">{text('inbox.subject')}</th>
                <th scope="col" className={css.last}>
                  {text('inbox.view')}
                </th>
              </tr>
            </thead>
            <tbody>
              {messages.map((message) => (
                <InboxRow key={message.id} message={message} isNew={arrived?.id === message.id} />
              ))}
            </tbody>
          </table>
        )}
      </div>
      {next ? (
        <p className={css.more}>
          <Older before={next} busy={inbox.busy} onClick={() => void inbox.older()} />
        </p>
      ) : null}
      {address && inbox.deliveries ? <DeliveriesLink inbox={inbox} address={address.address} /> : null}
    </section>
  )
}

function Toggle({
  label,
  on,
  onToggle,
  children,
}: {
  label: string
  on: boolean
  onToggle: () => void
  children: ReactNode
}) {
  return (
    <button type="button" className={css.toggle} aria-pressed={on} aria-label={label} title={label} onClick={onToggle}>
      {children}
    </button>
  )
}
