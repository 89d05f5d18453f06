import { type ReactNode, useEffect } from 'react'
import { useAlerts } from '../../hooks/use-alerts.ts'
import { isGone, unreadCount } from '../../hooks/inbox-state.ts'
import { type Inbox, useInbox } from '../../hooks/use-inbox.ts'
import { useRecoveryLink } from '../../hooks/use-recovery-link.ts'
import { useText } from '../../i18n/text.tsx'
import { usePayload } from '../../page.tsx'
import { OpenHere } from './open-here.tsx'

interface Props {
  children: (inbox: Inbox, alerts: ReturnType<typeof useAlerts>) => ReactNode
}

/** What the list and a single mail share: the live inbox, the tab's title, the announcement, the recovery link. */
export function InboxFrame({ children }: Props) {
  const text = useText()
  const { data, problem } = usePayload('home')
  const { secret, dismiss } = useRecoveryLink()
  // Who came by a recovery link has an address already.
  const inbox = useInbox(data, problem, secret === null)
  const { arrived } = inbox
  const alerts = useAlerts(arrived)
  const unread = unreadCount(inbox)
  const message = data.message && !isGone(inbox, data.message.id) ? data.message : null
  const title = message ? message.subject || text('inbox.noSubject') : text('home.metaTitle')
  // After every render: a new payload brings a title of its own.
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) ${title}` : title
  })

  const sender = arrived ? arrived.from.name || arrived.from.address : ''
  const code = arrived?.code
  return (
    <>
      {children(inbox, alerts)}
      <p className="quiet" role="status">
        {arrived &&
          (code ? text('inbox.newCode', { sender, code }) : text('inbox.new', { sender, subject: arrived.subject }))}
      </p>
      {secret ? <OpenHere key={secret} secret={secret} hasAddress={inbox.address !== null} onClose={dismiss} /> : null}
    </>
  )
}
