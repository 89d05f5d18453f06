import { useEffect } from 'react'
import { senderName } from '../../components/sender.ts'
import { type InboxState, unreadCount } from '../../hooks/inbox-state.ts'
import { useText } from '../../i18n/text.tsx'

interface Props {
  inbox: Pick<InboxState, 'messages' | 'arrived' | 'next'>
  /** Title of the page. */
  title: string
}

/** Shows the unread count in the tab's title and announces new messages to screen readers. */
export function InboxNews({ inbox, title }: Props) {
  const text = useText()
  const unread = unreadCount(inbox)
  // Runs after every render because a new payload resets the title.
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}${inbox.next ? '+' : ''}) ${title}` : title
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
