import { type ReactNode, useState } from 'react'
import { usePayload } from '../../app/page.tsx'
import { lazyComponent } from '../../components/lazy.tsx'
import { titleOf } from '../../document/head.ts'
import { useAlerts } from '../../hooks/use-alerts.ts'
import { type Inbox, useInbox } from '../../hooks/use-inbox.ts'
import { useRecoveryLink } from '../../hooks/use-recovery-link.ts'
import { useText } from '../../i18n/text.tsx'
import { InboxNews } from './inbox-news.tsx'

const OpenHere = lazyComponent(async () => (await import('../../parts/dialogs.ts')).OpenHere)

interface Props {
  /** The title of the tab, if it is not that of the page. */
  title?: (inbox: Inbox) => string
  children: (inbox: Inbox) => ReactNode
}

/** Shared by the message list and a single message: live inbox, tab title, announcement and recovery link. */
export function InboxFrame({ title, children }: Props) {
  const text = useText()
  const payload = usePayload('home')
  const { data, problem } = payload
  const { secret, dismiss } = useRecoveryLink()
  /** Whether a recovery link opened no address. The visitor is then offered a new one. */
  const [failed, setFailed] = useState(false)
  const inbox = useInbox(data, problem, secret === undefined ? undefined : secret !== null || failed)
  useAlerts(inbox.arrived)
  return (
    <>
      {children(inbox)}
      <InboxNews inbox={inbox} title={title?.(inbox) ?? titleOf(payload, text)} />
      {secret ? (
        <OpenHere
          key={secret}
          secret={secret}
          hasAddress={inbox.address !== null}
          onDismiss={dismiss}
          onFail={() => setFailed(true)}
          onCreate={inbox.create}
        />
      ) : null}
    </>
  )
}
