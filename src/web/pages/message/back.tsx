import { ArrowLeft } from 'lucide-react'
import { pathIn } from '#locales/languages.ts'
import { usePage } from '../../app/page.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { inboxPath } from '../../navigation/paths.ts'
import css from './message.module.css'

/** The link from a message back to its inbox. On phones it is only an arrow. */
export function Back() {
  const text = useText()
  const { code } = useLanguage()
  return (
    <Link className={`${buttonClass('quiet')} ${css.back}`} href={pathIn(code, inboxPath(usePage().payload))}>
      <ArrowLeft className={css.arrow} size={20} aria-hidden />
      <span>{text('message.back')}</span>
    </Link>
  )
}
