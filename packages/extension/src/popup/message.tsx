import type { Message, MessageSummary } from '@mayfly/client'
import { ArrowLeft, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { verdictOf } from '../../../../src/web/components/authenticity.tsx'
import { Button } from '../../../../src/web/components/button.tsx'
import { dateFormat } from '../../../../src/web/i18n/dates.ts'
import { useLanguage, useText } from '../../../../src/web/i18n/text.tsx'
import { ask } from '../state/addresses.ts'
import type { Held } from '../state/state.ts'
import { useAction } from '../ui/use-action.ts'
import { Found, type PageOfTab } from './found.tsx'
import { documentOf, SANDBOX } from './frame.ts'
import type { LiveInbox } from './use-inbox.ts'
import css from './popup.module.css'

interface Props {
  held: Held
  summary: MessageSummary
  tab: PageOfTab
  onBack: () => void
  change: LiveInbox['change']
  onDeleted: () => void
}

/** One message, in a sandboxed frame. */
export function MessageView({ held, summary, tab, onBack, change, onDeleted }: Props) {
  const text = useText()
  const { format } = useLanguage()
  const { busy, problem, run } = useAction()
  const [message, setMessage] = useState<Message>()
  const { id } = summary

  useEffect(() => {
    run(() =>
      ask(held, async (inbox) => {
        setMessage(await inbox.message(id))
        await inbox.markSeen(id)
        change(id, { seen: true })
      }),
    )
  }, [held, id, change, run])

  const remove = (): void =>
    run(async () => {
      await ask(held, (inbox) => inbox.deleteMessage(id))
      onDeleted()
    })

  return (
    <main className={css.message}>
      <div className={css.bar}>
        <Button look="quiet" icon={<ArrowLeft size={18} aria-hidden className={css.arrow} />} onClick={onBack}>
          {text('message.back')}
        </Button>
        <Button look="quiet" icon={<Trash2 size={18} aria-hidden />} disabled={busy} onClick={remove}>
          {text('message.delete')}
        </Button>
      </div>
      <h1>{summary.subject || text('inbox.noSubject')}</h1>
      <p className={css.from}>
        <bdi>{summary.from.name}</bdi> <bdi dir="ltr">{summary.from.address}</bdi>
        <br />
        {dateFormat(format, { day: 'long', time: true }).format(new Date(summary.receivedAt))}
      </p>
      {verdictOf(summary.authentication) === 'fail' ? (
        <p className={css.warning}>
          <strong>{text('auth.fail.text')}</strong>
        </p>
      ) : null}
      {message?.lookalike ? (
        <p className={css.warning}>
          <strong>{text('auth.fake.lookalike', { domain: message.lookalike })}</strong>
        </p>
      ) : null}
      <Found message={summary} held={held} tab={tab} />
      {problem ? <p role="alert">{problem}</p> : null}
      {message === undefined && !problem ? <p role="status">{text('message.loading')}</p> : null}
      {message ? (
        <iframe
          className={css.frame}
          title={text('message.frame')}
          sandbox={SANDBOX}
          referrerPolicy="no-referrer"
          srcDoc={documentOf(message)}
        />
      ) : null}
    </main>
  )
}
