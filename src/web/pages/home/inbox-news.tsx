import { useEffect } from 'react'
import { type InboxState, unreadCount } from '../../hooks/inbox-state.ts'
import { useText } from '../../i18n/text.tsx'

interface Props {
  inbox: Pick<InboxState, 'messages' | 'arrived'>
  /** Of the page. */
  title: string
}

/** What is new: in the title of the tab for who looks elsewhere, and in words for who doesn't see it come. */
export function InboxNews({ inbox, title }: Props) {
  const text = useText()
  const unread = unreadCount(inbox)
  // After every render: a new payload brings a title of its own.
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) ${title}` : title
  })
  const { arrived } = inbox
  const sender = arrived ? arrived.from.name || arrived.from.address : ''
  const code = arrived?.code
  return (
    <p className="quiet" role="status">
      {arrived &&
        (code ? text('inbox.newCode', { sender, code }) : text('inbox.new', { sender, subject: arrived.subject }))}
    </p>
  )
}
