import { buttonClass } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Wing } from '../../components/wing.tsx'
import { pathIn } from '#locales/languages.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { usePayload } from '../../page.tsx'
import css from './error.module.css'

/** Status, message and description (SPEC 8). */
export function ErrorPage() {
  const text = useText()
  const { code } = useLanguage()
  const { data, path, query } = usePayload('error')
  const missing = data.status === 404
  // The tool's pages are always there; what is missing on one can only be a mail.
  const mail = missing && query.message !== undefined
  return (
    <section className={css.error}>
      <Wing size={72} />
      <p className={css.status}>{text('error.title', { status: String(data.status) })}</p>
      {mail ? (
        <h1>{text('problem.message_not_found')}</h1>
      ) : (
        <>
          <h1>
            {missing
              ? text(data.message.startsWith('Page not found') ? 'error.unmatched' : 'error.notFound', { path })
              : text('error.server')}
          </h1>
          <p className={css.text}>{text(missing ? 'error.notFoundText' : 'error.serverText')}</p>
        </>
      )}
      <Link className={buttonClass('main')} href={pathIn(code, '/')}>
        {text('error.home')}
      </Link>
    </section>
  )
}
