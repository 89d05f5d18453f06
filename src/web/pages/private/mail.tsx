import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { pathIn } from '#locales/languages.ts'
import { ApiError } from '../../api/api.ts'
import { usePage } from '../../app/page.tsx'
import { buttonClass } from '../../components/button.tsx'
import { NotLoaded } from '../../components/not-loaded.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useEscape } from '../../hooks/use-escape.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { useOlder } from '../../hooks/use-older.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { inboxPath } from '../../navigation/paths.ts'
import { privateApi } from '../../private/private-api.ts'
import type { PrivateInbox } from '../../private/private-inbox.ts'
import type { OpenedContent } from '../../private/read-job.ts'
import type { Printer } from '../message/fitted-frame.tsx'
import { Gone, InPlaceOfMessage } from '../message/gone.tsx'
import { ICONS, MessageBar, toolClass } from '../message/message-bar.tsx'
import { MessageList } from '../message/message-list.tsx'
import { MessageSheet } from '../message/message-sheet.tsx'
import { PrintButton } from '../message/print-button.tsx'
import { PrivateFrame } from './private-frame.tsx'
import type { PrivateState } from './use-private-inbox.ts'
import css from '../message/message.module.css'

interface Props {
  /** Id of the message. */
  id: string
  state: PrivateState
}

/** Whether a message is in an older batch of the list. */
const isOlder = ({ messages, next }: PrivateState, id: string): boolean =>
  next !== null && id < next && !messages.some((each) => each.id === id)

/** Whether a message was deleted, or is in no batch of the list. */
export function isMissing(state: PrivateState, id: string): boolean {
  const { messages, deleted, loaded, busy, inbox } = state
  if (deleted.includes(id)) return true
  const isListed = !loaded || busy || isOlder(state, id) || inbox?.isListed(id)
  return !isListed && !messages.some((each) => each.id === id)
}

/** One message. Loads older batches of the list until the message is found. */
export function PrivateMail({ id, state }: Props) {
  const text = useText()
  const { code } = useLanguage()
  const { payload } = usePage()
  const { messages, loaded, problem, inbox, attempt, older } = state
  const summary = messages.find((each) => each.id === id)
  useEscape(pathIn(code, inboxPath(payload)))

  useOlder(state, isOlder(state, id))

  if (summary && inbox) return <Opened key={id} summary={summary} inbox={inbox} state={state} />
  const known = inbox?.isListed(id) ? inbox : null
  if (isMissing(state, id)) return <Gone title={text('message.gone')} />
  return (
    <InPlaceOfMessage role="status">
      {problem ? (
        <NotLoaded
          problem={problem}
          again={loaded ? () => attempt(known ? () => known.again(id) : older) : state.again}
        />
      ) : (
        text('message.loading')
      )}
    </InPlaceOfMessage>
  )
}

/** Throws if there is nothing: this device can't read the attachments of a message that takes too long. */
function there<T>(found: T | undefined): T {
  if (found === undefined) throw new ApiError('attachment_not_found')
  return found
}

interface OpenedProps extends Omit<Props, 'id'> {
  summary: MessageSummaryJson
  inbox: PrivateInbox
}

function Opened({ summary, inbox, state }: OpenedProps) {
  const text = useText()
  const { code } = useLanguage()
  const { go, payload } = usePage()
  const { id, seen, subject } = summary
  const read = useCallback(() => inbox.content(id, new Map()), [inbox, id])
  const { loaded: content, problem, again, attempt } = useLoaded(read)
  useEffect(() => {
    // The message is shown even if the mark cannot be stored.
    if (!seen) inbox.mark(id, { seen: true }).catch(() => {})
  }, [inbox, id, seen])

  const printer = useRef<Printer['current']>(null)
  const toList = pathIn(code, inboxPath(payload))

  async function save(index: number): Promise<void> {
    const { filename, content: bytes } = there(await inbox.attachment(id, index))
    saveFile(filename, bytes as BlobPart)
  }

  async function saveAll(): Promise<void> {
    saveFile(`${subject || id}.zip`, there(await inbox.archive(id)) as BlobPart)
  }

  const tool = (key: 'message.downloadMail' | 'message.delete', icon: ReactNode, onClick: () => void) => (
    <button type="button" className={toolClass} aria-label={text(key)} title={text(key)} onClick={onClick}>
      {icon}
    </button>
  )

  return (
    <div className={css.split}>
      <MessageList id={id} messages={state.messages} />
      <article className={css.message} aria-labelledby="message-title">
        <MessageBar id={id} messages={state.messages}>
          {content ? <PrintButton message={{ ...summary, date: timeOf(content) }} printer={printer} /> : null}
          {tool(
            'message.downloadMail',
            ICONS.download,
            () => void attempt(async () => saveFile(`${subject || id}.eml`, (await inbox.source(id)) as BlobPart)),
          )}
          {tool(
            'message.delete',
            ICONS.delete,
            () => void state.remove(id).then((gone) => gone && go(toList, { replace: true })),
          )}
        </MessageBar>
        {content ? (
          <MessageSheet
            message={{ ...summary, ...content, date: timeOf(content), hasHtml: content.frames.html !== null }}
            byServer={false}
            renderers={{
              source: async () => new Blob([(await inbox.source(id)) as BlobPart]),
              remote: text('private.remote'),
              renderFrame: (view, images, strip) => (
                <PrivateFrame
                  key={`${view}${images}`}
                  remote={images}
                  printer={printer}
                  strip={strip}
                  load={async () => {
                    if (!images) return content.frames[view] ?? ''
                    const proxied = await privateApi.proxied(content.remote)
                    return (await inbox.content(id, proxied)).frames[view] ?? ''
                  }}
                />
              ),
            }}
            files={{
              renderDownload: ({ index, filename }, inside) => (
                <button
                  type="button"
                  title={text('message.download', { name: filename })}
                  onClick={() => void attempt(() => save(index))}
                >
                  {inside}
                </button>
              ),
              renderDownloadAll: (inside) => (
                <button type="button" className={buttonClass('quiet')} onClick={() => void attempt(saveAll)}>
                  {inside}
                </button>
              ),
              renderImage: ({ index }) => (
                <PrivateFrame remote={false} load={async () => there(await inbox.image(id, index))} />
              ),
              load: async ({ index }) => there(await inbox.attachment(id, index)).content,
            }}
          />
        ) : (
          <div className={`${css.sheet} ${css.alone}`} role="status">
            {problem ? <NotLoaded problem={problem} again={again} /> : text('message.loading')}
          </div>
        )}
        <ProblemLine problem={(content && problem) ?? state.problem} />
      </article>
    </div>
  )
}

const timeOf = ({ date }: OpenedContent): string | null => (date === null ? null : new Date(date).toISOString())
