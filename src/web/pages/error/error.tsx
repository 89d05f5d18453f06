import { pathIn } from '#locales/languages.ts'
import { usePayload } from '../../app/page.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { problemText } from '../../components/problem-line.tsx'
import { useLanguage, useText } from '../../i18n/text.tsx'

/** Status, message and description. */
export function ErrorPage() {
  const text = useText()
  const { code } = useLanguage()
  const { data, query, problem } = usePayload('error')
  const { status, message, description } = data
  // The message names the path, in English; here it is said in the language of the page.
  const path = message.replace(/^.*?: /, '')
  const missing = status === 404
  const known = problem && problem.code !== 'internal' ? problemText(problem, text) : text('error.serverText')
  const words = missing ? text('error.notFoundText') : status === 500 && description ? description : known
  const home = (
    <Link className={buttonClass('main')} href={pathIn(code, '/')}>
      {text('error.home')}
    </Link>
  )
  // The tool's pages are always there; what is missing on one can only be a mail.
  const gone = missing && query.message !== undefined && !message.startsWith('Page not found')
  if (gone || problem?.code === 'message_damaged')
    return (
      <Notice
        above={text('error.title', { status: String(status) })}
        title={text(gone ? 'problem.message_not_found' : 'problem.message_damaged')}
      >
        {home}
      </Notice>
    )
  const unmatched = message.startsWith('Page not found')
  const title = missing ? text(unmatched ? 'error.unmatched' : 'error.notFound', { path }) : text('error.server')
  return (
    <Notice above={text('error.title', { status: String(status) })} title={title} words={words}>
      {home}
    </Notice>
  )
}
