import { KeyRound, LockKeyhole } from 'lucide-react'
import { useState } from 'react'
import type { PrivateAddressJson } from '#contract/pages.ts'
import { pathIn } from '#locales/languages.ts'
import { usePayload } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { lazyComponent } from '../../components/lazy.tsx'
import { Link } from '../../components/link.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { unreadCount } from '../../hooks/inbox-state.ts'
import { useAlerts } from '../../hooks/use-alerts.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import type { PrivateKeys } from '../../private/keys.ts'
import { InboxNews } from '../home/inbox-news.tsx'
import { InboxSection } from '../home/inbox.tsx'
import { isMissing, PrivateMail } from './mail.tsx'
import { usePrivateInbox } from './use-private-inbox.ts'
import css from './private.module.css'

const LockDialog = lazyComponent(async () => (await import('./lock-dialog.tsx')).LockDialog)

interface Props {
  address: PrivateAddressJson
  keys: PrivateKeys
  onLock: () => Promise<void>
}

/** The message list, or one open message. */
export function PrivateInboxPage({ address, keys, onLock }: Props) {
  const text = useText()
  const { query } = usePayload('private')
  const state = usePrivateInbox(address, keys)
  useAlerts(state.arrived)
  const { message } = query
  const open = state.messages.find(({ id }) => id === message)
  const title = open
    ? open.subject || text('inbox.noSubject')
    : message !== undefined && isMissing(state, message)
      ? text('message.gone')
      : (address.label ?? address.address)
  return (
    <>
      {message === undefined ? (
        <div className={css.page}>
          <Head address={address} onLock={onLock} />
          <InboxSection inbox={state} preparing={!state.loaded} unread={unreadCount(state)} />
          <ProblemLine problem={state.problem} />
        </div>
      ) : (
        <PrivateMail key={message} id={message} state={state} />
      )}
      <InboxNews inbox={state} title={title} />
    </>
  )
}

function Head({ address: { address, label }, onLock }: Pick<Props, 'address' | 'onLock'>) {
  const text = useText()
  const { code } = useLanguage()
  const [locking, setLocking] = useState(false)
  return (
    <header className={css.head}>
      <div>
        {label === null ? null : (
          <p>
            <bdi>{label}</bdi>
          </p>
        )}
        <h1>
          <EmailAddress>{address}</EmailAddress>
        </h1>
        <p className={css.sealed}>
          <KeyRound size={16} aria-hidden />
          {text('private.sealed')}
        </p>
      </div>
      <div className={css.tools}>
        <CopyButton value={address}>{text('address.copy')}</CopyButton>
        <Button look="quiet" icon={<LockKeyhole size={18} aria-hidden />} onClick={() => setLocking(true)}>
          {text('private.lock')}
        </Button>
        <Link href={pathIn(code, '/account')}>{text('kept.title')}</Link>
      </div>
      {locking ? <LockDialog onClose={() => setLocking(false)} onLock={onLock} /> : null}
    </header>
  )
}
