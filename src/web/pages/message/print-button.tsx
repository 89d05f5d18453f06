import { mailboxText } from '#core/mailbox/message.ts'
import { dateFormat } from '../../i18n/dates.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import type { Printer } from './fitted-frame.tsx'
import { ICONS, toolClass } from './message-bar.tsx'
import type { MessageData } from './message-data.ts'

interface Props {
  message: Pick<MessageData, 'from' | 'to' | 'subject' | 'date' | 'receivedAt'>
  printer: Printer
}

/** Prints the message alone, with its subject, sender, recipient and time. */
export function PrintButton({ message: { from, to, subject, date, receivedAt }, printer }: Props) {
  const text = useText()
  const { format } = useLanguage()
  const lines = (): string[] => [
    subject || text('inbox.noSubject'),
    `${text('message.from')}: ${mailboxText(from) || text('inbox.noSender')}`,
    `${text('message.to')}: ${to}`,
    `${text('message.date')}: ${dateFormat(format, { day: 'long', time: true }).format(new Date(date ?? receivedAt))}`,
  ]
  return (
    <button
      type="button"
      className={`${toolClass} needs-script`}
      aria-label={text('message.print')}
      title={text('message.print')}
      onClick={() => (printer.current ? printer.current(lines()) : print())}
    >
      {ICONS.print}
    </button>
  )
}
