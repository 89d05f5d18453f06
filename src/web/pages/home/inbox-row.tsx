import { ChevronRight, Paperclip } from 'lucide-react'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { pathIn } from '#locales/languages.ts'
import { usePage } from '../../app/page.tsx'
import { CodeOrLink } from '../../components/code-or-link.tsx'
import { Link } from '../../components/link.tsx'
import { Time } from '../../components/time.tsx'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { inboxPath } from '../../navigation/paths.ts'
import css from './inbox.module.css'

/** A message in the list: sender, subject, and code or link. */
export function InboxRow({ message, isNew }: { message: MessageSummaryJson; isNew: boolean }) {
  const text = useText()
  const { code } = useLanguage()
  const { payload } = usePage()
  const { id, from, subject, preview, seen, receivedAt, attachments } = message
  const href = pathIn(code, inboxPath(payload, id))
  const title = subject || text('inbox.noSubject')
  return (
    <tr className={css.row} data-seen={seen} data-new={isNew} data-id={id}>
      <td className={css.sender}>
        <bdi className={css.name}>{from.name || from.address || text('inbox.noSender')}</bdi>
        {from.name ? <bdi className={css.from}>{from.address}</bdi> : null}
      </td>
      <td className={css.subject}>
        <Link className={css.open ?? ''} href={href} dir="auto">
          {title}
        </Link>
        {attachments.length > 0 ? <Paperclip className={css.clip} size={15} aria-hidden /> : null}
        <bdi className={css.preview}>{preview}</bdi>
        <CodeOrLink message={message} />
      </td>
      <td className={css.view}>
        <Time at={receivedAt} />
        <Link className={css.arrow ?? ''} href={href} aria-label={text('inbox.viewMail', { subject: title })}>
          <span>{text('inbox.view')}</span>
          <ChevronRight className={css.chevron} size={18} aria-hidden />
        </Link>
      </td>
    </tr>
  )
}
