import { type ReactNode, Suspense, useState } from 'react'
import { usePayload } from '../../app/page.tsx'
import { lazyComponent } from '../../components/lazy.tsx'
import { titleOf } from '../../document/head.ts'
import { isGone } from '../../hooks/inbox-state.ts'
import { useAlerts } from '../../hooks/use-alerts.ts'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import { type Inbox, useInbox } from '../../hooks/use-inbox.ts'
import { useRecoveryLink } from '../../hooks/use-recovery-link.ts'
import { useText } from '../../i18n/text.tsx'
import { InboxNews } from './inbox-news.tsx'

const OpenHere = lazyComponent(async () => (await import('./open-here.tsx')).OpenHere)

const MessageShortcuts = lazyComponent(async () => (await import('./message-shortcuts.tsx')).MessageShortcuts)

interface Props {
  children: (inbox: Inbox) => ReactNode
}

/** Shared by the message list and a single message: live inbox, tab title, announcement and recovery link. */
export function InboxFrame({ children }: Props) {
  const text = useText()
  const payload = usePayload('home')
  const { data, problem } = payload
  const { secret, dismiss } = useRecoveryLink()
  /** Whether a recovery link opened no address. The visitor is then offered a new one. */
  const [failed, setFailed] = useState(false)
  const inbox = useInbox(data, problem, secret === undefined ? undefined : secret !== null || failed)
  const hydrated = useHydrated()
  useAlerts(inbox.arrived)
  const message = data.message && !isGone(inbox, data.message.id) ? data.message : null
  return (
    <>
      {children(inbox)}
      <InboxNews inbox={inbox} title={message ? message.subject || text('inbox.noSubject') : titleOf(payload, text)} />
      {hydrated && message ? (
        <Suspense>
          <MessageShortcuts id={message.id} ids={inbox.messages.map(({ id }) => id)} onRemove={inbox.remove} />
        </Suspense>
      ) : null}
      {secret ? (
        <Suspense>
          <OpenHere
            key={secret}
            secret={secret}
            hasAddress={inbox.address !== null}
            onDismiss={dismiss}
            onFail={() => setFailed(true)}
            onCreate={inbox.create}
          />
        </Suspense>
      ) : null}
    </>
  )
}
