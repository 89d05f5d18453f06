import { ArrowLeft, Download, Printer, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { HomeData } from '#contract/pages.ts'
import { Authenticity } from '../../components/authenticity.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { CodeOrLink } from '../../components/code-or-link.tsx'
import { Link } from '../../components/link.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { Time } from '../../components/time.tsx'
import { isGone } from '../../hooks/inbox-state.ts'
import type { Inbox } from '../../hooks/use-inbox.ts'
import { pathIn } from '#locales/languages.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { usePage, usePayload } from '../../page.tsx'
import { InboxFrame } from '../home/inbox-frame.tsx'
import { MessageBody } from './message-body.tsx'
import css from './message.module.css'
import { Resources } from './resources.tsx'

export type MessageData = NonNullable<HomeData['message']>

/** One mail: where it is from, what it was sent for, and all of it. */
export function MessagePage() {
  const { data } = usePayload('home')
  return (
    <InboxFrame>
      {(inbox) => (data.message ? <Message key={data.message.id} message={data.message} inbox={inbox} /> : null)}
    </InboxFrame>
  )
}

function Message({ message, inbox }: { message: MessageData; inbox: Inbox }) {
  const text = useText()
  const { code } = useLanguage()
  const { go, payload } = usePage()
  const home = pathIn(code, payload.path)
  const title = useRef<HTMLHeadingElement>(null)
  const { id, from, to, subject, receivedAt } = message
  // Checks of the sender come in after the mail; the list hears of them.
  const known = inbox.messages.find((each) => each.id === id)
  const authentication = known?.authentication ?? message.authentication

  useEffect(() => title.current?.focus(), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open], :popover-open')) go(home)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [go, home])

  if (isGone(inbox, id)) {
    return (
      <section className={css.message}>
        <div className={css.bar}>
          <Back />
        </div>
        <div className={`${css.sheet} ${css.head}`} role="alert">
          {inbox.ended ? (
            <>
              <strong>{text('home.ended')}</strong> {text('home.endedText')}
            </>
          ) : (
            text('message.gone')
          )}
        </div>
      </section>
    )
  }
  return (
    <article className={css.message} aria-labelledby="message-title">
      <div className={css.bar}>
        <Back />
        <div className={css.tools}>
          <Button
            look="quiet"
            className="needs-script"
            icon={<Printer size={18} aria-hidden />}
            onClick={() => print()}
          >
            {text('message.print')}
          </Button>
          <a className={buttonClass('quiet')} href={`/api/v1/messages/${id}/raw`} download>
            <Download size={18} aria-hidden />
            <span>{text('message.downloadMail')}</span>
          </a>
          <form method="post" action="/actions/delete-message">
            <input type="hidden" name="lang" value={code} />
            <input type="hidden" name="path" value={payload.path} />
            <input type="hidden" name="id" value={id} />
            <Button
              type="submit"
              look="quiet"
              icon={<Trash2 size={18} aria-hidden />}
              onClick={(event) => {
                event.preventDefault()
                void inbox.remove(id).then((gone) => gone && go(home, { replace: true }))
              }}
            >
              {text('message.delete')}
            </Button>
          </form>
        </div>
      </div>
      <div className={css.sheet}>
        <header className={css.head}>
          <h1 id="message-title" ref={title} tabIndex={-1}>
            <bdi>{subject || text('inbox.noSubject')}</bdi>
          </h1>
          <CodeOrLink message={message} both />
          <dl className={css.fields}>
            <dt>{text('message.from')}</dt>
            <dd>
              <bdi>{from.name}</bdi>{' '}
              <bdi className={css.soft}>{from.name ? `<${from.address}>` : from.address || text('inbox.noSender')}</bdi>
              <Authenticity authentication={authentication} />
            </dd>
            <dt>{text('message.to')}</dt>
            <dd>
              <bdi>{to}</bdi>
            </dd>
            <dt>{text('message.date')}</dt>
            <dd>
              <Time at={receivedAt} whole />
            </dd>
            <dt>{text('message.subject')}</dt>
            <dd>
              <bdi>{subject || text('inbox.noSubject')}</bdi>
            </dd>
            <dt>{text('message.resources')}</dt>
            <dd>
              <Resources id={id} attachments={message.attachments} />
            </dd>
          </dl>
        </header>
        <MessageBody message={message} />
      </div>
      <ProblemLine problem={inbox.problem} />
    </article>
  )
}

function Back() {
  const text = useText()
  const { code } = useLanguage()
  const { path } = usePage().payload
  return (
    <Link className={buttonClass('quiet')} href={pathIn(code, path)}>
      <ArrowLeft className={css.arrow} size={18} aria-hidden />
      <span>{text('message.back')}</span>
    </Link>
  )
}
