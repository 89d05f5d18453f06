import { useEffect } from 'react'
import { senderName } from '../../components/sender.ts'
import { type InboxState, unreadCount } from '../../hooks/inbox-state.ts'
import { getNumberFormat } from '../../i18n/formats.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'

interface Props {
  inbox: Pick<InboxState, 'messages' | 'arrived' | 'next'>
  /** Title of the page. */
  title: string
}

/** Shows the unread count in the tab's title and announces new messages to screen readers. */
export function InboxNews({ inbox, title }: Props) {
  const text = useText()
  const { format } = useLanguage()
  const unread = unreadCount(inbox)
  // Runs after every render because a new payload resets the title.
  useEffect(() => {
    const count = getNumberFormat(format.locale).format(unread)
    document.title = unread > 0 ? `(${count}${inbox.next ? '+' : ''}) ${title}` : title
  })
  const { arrived } = inbox
  const sender = arrived ? senderName(arrived.from) : ''
  const code = arrived?.code
  return (
    <p className="quiet" role="status">
      {arrived &&
        (code ? text('inbox.newCode', { sender, code }) : text('inbox.new', { sender, subject: arrived.subject }))}
    </p>
  )
}
