import { useRef } from 'react'
import { pathIn } from '#locales/languages.ts'
import { download } from '../../api/download.ts'
import { usePage, usePayload } from '../../app/page.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { HiddenFields } from '../../components/hidden-fields.tsx'
import { lazyComponent } from '../../components/lazy.tsx'
import { Link } from '../../components/link.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { isGone } from '../../hooks/inbox-state.ts'
import { useEscape } from '../../hooks/use-escape.ts'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import type { Inbox } from '../../hooks/use-inbox.ts'
import { useOlder } from '../../hooks/use-older.ts'
import { type Text, useLanguage, useText } from '../../i18n/text.tsx'
import { InboxFrame } from '../home/inbox-frame.tsx'
import type { Printer } from './fitted-frame.tsx'
import { Gone } from './gone.tsx'
import { ICONS, MessageBar, toolClass } from './message-bar.tsx'
import type { MessageData } from './message-data.ts'
import { ImageFrame, MessageFrame } from './message-frame.tsx'
import { MessageList } from './message-list.tsx'
import { MessageSheet } from './message-sheet.tsx'
import { PrintButton } from './print-button.tsx'
import { SOURCE_MAX_BYTES } from './source-text.ts'
import css from './message.module.css'

const MessageShortcuts = lazyComponent(async () => (await import('../home/message-shortcuts.tsx')).MessageShortcuts)

/** The page of one message. On wide screens the list is beside it. */
export function MessagePage() {
  const text = useText()
  const { message } = usePayload('home').data
  if (!message) return null
  const { id, subject } = message
  const titleFor = (inbox: Inbox): string => goneTitle(inbox, id, text) ?? (subject || text('inbox.noSubject'))
  return <InboxFrame title={titleFor}>{(inbox) => <Message key={id} message={message} inbox={inbox} />}</InboxFrame>
}

/** What the page says of a message that was deleted, alone or with its address. */
const goneTitle = (inbox: Inbox, id: string, text: Text): string | undefined =>
  isGone(inbox, id) ? text(inbox.ended ? 'home.ended' : 'message.gone') : undefined

/** Older batches are loaded up to this many messages. A message far behind them has no list beside it. */
const NEAR = 500

function Message({ message, inbox }: { message: MessageData; inbox: Inbox }) {
  const text = useText()
  const { code } = useLanguage()
  const { go, payload } = usePage()
  const printer = useRef<Printer['current']>(null)
  const hydrated = useHydrated()
  const home = pathIn(code, payload.path)
  const { id } = message
  // The sender checks finish after the message arrives. The live inbox receives them.
  const known = inbox.messages.find((each) => each.id === id)
  const shown = { ...message, authentication: known?.authentication ?? message.authentication }
  useEscape(home)

  // The list beside it, the newer and the older message need the batch of the list that has the message.
  const { next, busy, problem } = inbox
  useOlder(inbox, !known && inbox.messages.length < NEAR && next !== null && id < next)

  const instead = goneTitle(inbox, id, text)
  if (instead !== undefined) {
    if (!inbox.ended) return <Gone key="deleted" title={instead} />
    return (
      <Gone title={instead}>
        <p>{text('home.endedText')}</p>
        <p>
          <Button look="main" disabled={busy} onClick={() => void inbox.create({}, () => go(home, { done: true }))}>
            {text('home.getNewAddress')}
          </Button>
        </p>
        <ProblemLine problem={problem} />
        <p>
          <Link href={pathIn(code, '/change#earlier')}>{text('earlier.title')}</Link>
        </p>
      </Gone>
    )
  }
  return (
    <div className={css.split}>
      <MessageList id={id} messages={inbox.messages} />
      {hydrated ? (
        <MessageShortcuts id={id} ids={inbox.messages.map((each) => each.id)} onRemove={inbox.remove} />
      ) : null}
      <article className={css.message} aria-labelledby="message-title">
        <MessageBar id={id} messages={inbox.messages}>
          <PrintButton message={shown} printer={printer} />
          <a
            className={toolClass}
            href={`/api/v1/messages/${id}/raw`}
            download
            aria-label={text('message.downloadMail')}
            title={text('message.downloadMail')}
          >
            {ICONS.download}
          </a>
          <form method="post" action="/actions/delete-message">
            <HiddenFields path={payload.path} id={id} />
            <button
              type="submit"
              className={toolClass}
              aria-label={text('message.delete')}
              title={text('message.delete')}
              onClick={(event) => {
                event.preventDefault()
                void inbox.remove(id).then((gone) => gone && go(home, { replace: true }))
              }}
            >
              {ICONS.delete}
            </button>
          </form>
        </MessageBar>
        <MessageSheet
          message={shown}
          byServer
          renderers={{
            source: () => download(`/api/v1/messages/${id}/raw`, SOURCE_MAX_BYTES),
            remote: text('message.remote'),
            renderFrame: (view, images, strip) => (
              <MessageFrame key={`${view}${images}`} {...{ id, view, images, printer, strip }} />
            ),
          }}
          files={{
            renderDownload: ({ index, filename }, content) => (
              <a
                href={`/api/v1/messages/${id}/attachments/${index}`}
                download
                title={text('message.download', { name: filename })}
              >
                {content}
              </a>
            ),
            renderDownloadAll: (content) => (
              <a className={buttonClass('quiet')} href={`/api/v1/messages/${id}/attachments`} download>
                {content}
              </a>
            ),
            renderImage: ({ index, filename }) => <ImageFrame id={id} index={index} name={filename} />,
            load: async ({ index }) =>
              new Uint8Array(await (await download(`/api/v1/messages/${id}/attachments/${index}`)).arrayBuffer()),
          }}
        />
        <ProblemLine problem={inbox.problem} />
      </article>
    </div>
  )
}
