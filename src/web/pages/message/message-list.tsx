import { useEffect, useRef } from 'react'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { pathIn } from '#locales/languages.ts'
import { Fatal } from '../../app/fatal.tsx'
import { usePage } from '../../app/page.tsx'
import { Link } from '../../components/link.tsx'
import { senderName } from '../../components/sender.ts'
import { Time } from '../../components/time.tsx'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { inboxPath } from '../../navigation/paths.ts'
import css from './message-list.module.css'

interface Props {
  /** The open message. */
  id: string
  messages: readonly MessageSummaryJson[]
}

/** The messages beside an open one, on wide screens. */
export function MessageList({ id, messages }: Props) {
  const text = useText()
  const list = useRef<HTMLElement>(null)
  const listed = messages.some((message) => message.id === id)
  useEffect(() => {
    const box = list.current
    const current = box?.querySelector<HTMLElement>('[aria-current]')
    if (!box || !current) return
    const [{ top, bottom, height }, inner] = [box.getBoundingClientRect(), current.getBoundingClientRect()]
    // `scrollIntoView` would scroll the page too.
    if (inner.top < top || inner.bottom > bottom) box.scrollTop += inner.top - top - (height - inner.height) / 2
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- runs again for another message, and when the open one is loaded
  }, [id, listed])
  return (
    <nav ref={list} className={css.list} aria-label={text('inbox.title')}>
      <ol>
        {messages.map((message) => (
          <Fatal key={message.id} of={message} instead={null}>
            <Entry message={message} isOpen={message.id === id} />
          </Fatal>
        ))}
      </ol>
    </nav>
  )
}

function Entry({ message, isOpen }: { message: MessageSummaryJson; isOpen: boolean }) {
  const text = useText()
  const { code } = useLanguage()
  const { payload } = usePage()
  const { id, from, subject, receivedAt, seen } = message
  return (
    <li data-seen={seen || isOpen}>
      <Link href={pathIn(code, inboxPath(payload, id))} {...(isOpen ? { 'aria-current': 'page' as const } : {})}>
        <span className={css.line}>
          <bdi className={css.name}>{senderName(from) || text('inbox.noSender')}</bdi>
          <Time at={receivedAt} />
        </span>
        <bdi className={css.subject}>{subject || text('inbox.noSubject')}</bdi>
      </Link>
    </li>
  )
}
