import { ChevronDown, ChevronUp, Download, Printer, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { pathIn } from '#locales/languages.ts'
import { usePage } from '../../app/page.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { inboxPath } from '../../navigation/paths.ts'
import { Back } from './back.tsx'
import css from './message.module.css'

export const ICONS = {
  print: <Printer size={20} aria-hidden />,
  download: <Download size={20} aria-hidden />,
  delete: <Trash2 size={20} aria-hidden />,
}

/** The class of an action that is an icon. It needs an `aria-label`, and a `title` with the same text. */
export const toolClass = `${buttonClass('quiet')} ${css.tool}`

interface Props {
  /** The open message, and the loaded messages, newest first. */
  id: string
  messages: readonly { id: string }[]
  /** The actions. */
  children: ReactNode
}

/** Above a message: back to the list, the newer and the older message, and the actions. */
export function MessageBar({ id, messages, children }: Props) {
  const text = useText()
  const { code } = useLanguage()
  const { payload } = usePage()
  const at = messages.findIndex((each) => each.id === id)
  const neighbor = (
    key: 'message.newer' | 'message.older',
    message: { id: string } | undefined,
    icon: ReactNode,
  ): ReactNode =>
    message ? (
      <Link
        className={toolClass}
        href={pathIn(code, inboxPath(payload, message.id))}
        aria-label={text(key)}
        title={text(key)}
      >
        {icon}
      </Link>
    ) : null
  return (
    <div className={css.bar}>
      <Back />
      <div className={css.tools}>
        {at === -1 ? null : (
          <>
            {neighbor('message.newer', messages[at - 1], <ChevronUp size={20} aria-hidden />)}
            {neighbor('message.older', messages[at + 1], <ChevronDown size={20} aria-hidden />)}
          </>
        )}
        {children}
      </div>
    </div>
  )
}
