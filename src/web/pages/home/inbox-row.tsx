import { Paperclip, Trash2 } from 'lucide-react'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { pathIn } from '#locales/languages.ts'
import { Fatal } from '../../app/fatal.tsx'
import { usePage } from '../../app/page.tsx'
import { CodeOrLink } from '../../components/code-or-link.tsx'
import { Link } from '../../components/link.tsx'
import { senderName } from '../../components/sender.ts'
import { Time } from '../../components/time.tsx'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { inboxPath } from '../../navigation/paths.ts'
import { endOf, expiryOf } from './expiry.ts'
import css from './inbox-row.module.css'
import list from './inbox.module.css'

interface Props {
  message: MessageSummaryJson
  /** Milliseconds since the epoch. */
  now: number
  /** When the address ends; empty or undefined if that is not known. */
  endsAt: string | undefined
  isNew: boolean
  /** Undefined unless the visitor selects several. */
  selected: boolean | undefined
  onSelect: (id: string) => void
  onRemove: (id: string) => void
}

type RowLinkProps = Pick<Props, 'message'>

/** The link to a message. The subject may be the value that is unforeseen. */
function RowLink({ message: { id, subject } }: RowLinkProps) {
  const text = useText()
  const { code } = useLanguage()
  const { payload } = usePage()
  return (
    <Link className={css.open ?? ''} href={pathIn(code, inboxPath(payload, id))} dir="auto">
      {(typeof subject === 'string' && subject) || text('inbox.noSubject')}
    </Link>
  )
}

/** In place of a row with an unforeseen value, so that the others are still shown. */
function PlainRow({ message }: RowLinkProps) {
  return (
    <tr className={css.row} data-id={message.id}>
      <td className={css.subject} colSpan={3}>
        <RowLink message={message} />
      </td>
    </tr>
  )
}

/** A message in the list: sender, subject, code and link, times, and a button to delete it. */
export function InboxRow(props: Props) {
  return (
    <Fatal of={props.message} instead={<PlainRow message={props.message} />}>
      <Row {...props} />
    </Fatal>
  )
}

function Row({ message, now, endsAt, isNew, selected, onSelect, onRemove }: Props) {
  const text = useText()
  const { id, from, subject, preview, seen, receivedAt, expiresAt, attachments } = message
  const title = subject || text('inbox.noSubject')
  const { key, count } = expiryOf(endOf(expiresAt, endsAt) - now)
  return (
    <tr className={css.row} data-seen={seen} data-new={isNew} data-id={id} data-selected={selected}>
      <td className={css.sender}>
        {selected === undefined ? null : (
          <label className={css.check}>
            <input type="checkbox" checked={selected} onChange={() => onSelect(id)} />
            <span className="quiet">{text('select.message', { subject: title })}</span>
          </label>
        )}
        <div className={css.names}>
          <bdi className={css.name}>{senderName(from) || text('inbox.noSender')}</bdi>
          {senderName(from) === from.address ? null : <bdi className={css.from}>{from.address}</bdi>}
        </div>
      </td>
      <td className={css.subject}>
        <div className={css.main}>
          <div className={css.texts}>
            <RowLink message={message} />
            <span className={css.preview}>
              {attachments.length > 0 ? <Paperclip size={14} aria-hidden /> : null}
              <bdi>{preview}</bdi>
            </span>
          </div>
          <CodeOrLink message={message} />
        </div>
      </td>
      <td className={css.view}>
        <div className={css.end}>
          <div className={css.times}>
            <Time at={receivedAt} />
            <span className={css.left} data-left={key}>
              {text(key, { count })}
            </span>
          </div>
          <button
            type="button"
            className={`${list.tool} ${css.remove} needs-script`}
            aria-label={text('inbox.deleteMail', { subject: title })}
            onClick={() => onRemove(id)}
          >
            <Trash2 size={18} aria-hidden />
          </button>
        </div>
      </td>
    </tr>
  )
}
