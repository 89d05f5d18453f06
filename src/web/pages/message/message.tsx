import { Download, Printer, Trash2 } from 'lucide-react'
import { pathIn } from '#locales/languages.ts'
import { api } from '../../api/api.ts'
import { usePage, usePayload } from '../../app/page.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { isGone } from '../../hooks/inbox-state.ts'
import { useEscape } from '../../hooks/use-escape.ts'
import type { Inbox } from '../../hooks/use-inbox.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { InboxFrame } from '../home/inbox-frame.tsx'
import { Back } from './back.tsx'
import { type MessageData } from './message-body.tsx'
import { MessageSheet } from './message-sheet.tsx'
import css from './message.module.css'

/** The page of one message. */
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
  const { id } = message
  // The sender checks finish after the message arrives. The live inbox receives them.
  const known = inbox.messages.find((each) => each.id === id)
  const authentication = known?.authentication ?? message.authentication
  useEscape(home)

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
      <MessageSheet
        message={{ ...message, authentication }}
        renderers={{
          source: () => api.source(id),
          remote: text('message.remote'),
          renderFrame: (view, images) => (
            <iframe
              key={`${view}${images}`}
              className={css.frame}
              title={text('message.frame')}
              sandbox="allow-popups allow-popups-to-escape-sandbox"
              src={`/frame/message?id=${id}&view=${view}&images=${images ? 1 : 0}`}
              referrerPolicy="no-referrer"
            />
          ),
        }}
        renderAttachment={({ index, filename }, content) => (
          <a
            href={`/api/v1/messages/${id}/attachments/${index}`}
            download
            title={text('message.download', { name: filename })}
          >
            {content}
          </a>
        )}
      />
      <ProblemLine problem={inbox.problem} />
    </article>
  )
}
