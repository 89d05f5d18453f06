import { type ReactNode, useState } from 'react'
import { CalendarCard } from './calendar-card.tsx'
import { MessageBody, type Renderers, viewsOf } from './message-body.tsx'
import { listedAttachments, type MessageData } from './message-data.ts'
import { MessageHead } from './message-head.tsx'
import { MessageViews } from './message-views.tsx'
import { ForgeryNotice, isForgery } from './notices.tsx'
import { type FileRenderers, Resources } from './resources.tsx'
import { Unsubscribe } from './unsubscribe.tsx'
import css from './message.module.css'

interface Props {
  message: MessageData
  renderers: Renderers
  files: FileRenderers
  /** Whether the server can act on the message, because it can read it. */
  byServer: boolean
}

/** A message: head, invitation, body and attachments. */
export function MessageSheet({ message, renderers, files, byServer }: Props) {
  const views = viewsOf(message)
  const [view, setView] = useState(views[0] ?? 'source')
  const { calendar, attachments } = message
  const nameOf = (index: number): string => attachments.find((file) => file.index === index)?.filename ?? 'invite.ics'
  return (
    <div className={css.sheet}>
      <MessageHead message={message} remote={renderers.remote}>
        <MessageViews views={views} view={view} onChange={setView} />
      </MessageHead>
      {isForgery(message) ? <ForgeryNotice message={message} /> : null}
      {calendar ? (
        <CalendarCard
          event={calendar}
          renderDownload={(index, content): ReactNode => (
            <span className={css.download}>{files.renderDownload({ index, filename: nameOf(index) }, content)}</span>
          )}
        />
      ) : null}
      <MessageBody message={message} renderers={renderers} view={view} />
      <Unsubscribe message={message} byServer={byServer} />
      <Resources attachments={listedAttachments(message)} files={files} />
    </div>
  )
}
