import { useState } from 'react'
import { call } from '../../api/api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/lazy-dialogs.ts'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useText } from '../../i18n/text.tsx'
import type { MessageData } from './message-data.ts'
import css from './message.module.css'

interface Props {
  message: Pick<MessageData, 'id' | 'authentication' | 'unsubscribe'>
  /** Whether the server can send the request, because it can read the message. */
  byServer: boolean
}

/** Leaves the mailing list of a message: by a request of the server if that is enough, else at a web page of the sender. */
export function Unsubscribe({ message: { id, authentication, unsubscribe }, byServer }: Props) {
  const text = useText()
  const [asking, setAsking] = useState(false)
  const [done, setDone] = useState(false)
  const { busy, problem, attempt } = useAttempt()
  if (!unsubscribe) return null
  const { host, url, oneClick } = unsubscribe
  return (
    <div className={css.unsubscribe}>
      {done ? <p role="status">{text('unsubscribe.done', { host })}</p> : null}
      {!done && oneClick && byServer && authentication.dkim === 'pass' ? (
        <Button className="needs-script" disabled={busy} onClick={() => setAsking(true)}>
          {text('unsubscribe.button')}
        </Button>
      ) : null}
      {!done && !(oneClick && byServer && authentication.dkim === 'pass') ? (
        <p>
          <a href={url} target="_blank" rel="noopener noreferrer nofollow">
            {text('unsubscribe.link', { host })}
          </a>{' '}
          <span className={css.soft}>{text('unsubscribe.linkText')}</span>
        </p>
      ) : null}
      <ProblemLine problem={problem} />
      {asking ? (
        <ConfirmDialog
          title={text('unsubscribe.title')}
          words={text('unsubscribe.text', { host })}
          confirm={text('unsubscribe.button')}
          onClose={() => setAsking(false)}
          onConfirm={() => attempt(() => call('POST', `/messages/${id}/unsubscribe`)).then((sent) => setDone(sent))}
        />
      ) : null}
    </div>
  )
}
