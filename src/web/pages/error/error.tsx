import { pathIn } from '#locales/languages.ts'
import { usePayload } from '../../app/page.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { ProblemText } from '../../components/problem-line.tsx'
import { leftToRight } from '../../i18n/isolate.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'

/** The error page with status, title and description. */
export function ErrorPage() {
  const text = useText()
  const { code, dir } = useLanguage()
  const { data, query, problem } = usePayload('error')
  const { status, description, requested, exists } = data
  // In a text from right to left, the slash in front would move to the other end.
  const path = dir === 'rtl' ? leftToRight(requested) : requested
  const missing = status === 404
  const known =
    problem && problem.code !== 'internal' ? (
      <ProblemText problem={problem} onOver={() => location.reload()} />
    ) : (
      text('error.serverText')
    )
  const words = missing ? text('error.notFoundText') : status === 500 && description ? description : known
  const home = (
    <Link className={buttonClass('main')} href={pathIn(code, '/')}>
      {text('error.home')}
    </Link>
  )
  // The pages of the tool always exist, so a 404 there means that the message is gone.
  const gone = missing && exists && query.message !== undefined
  if (gone || problem?.code === 'message_damaged')
    return (
      <Notice
        above={text('error.title', { status: String(status) })}
        title={text(gone ? 'problem.message_not_found' : 'problem.message_damaged')}
      >
        {home}
      </Notice>
    )
  const title = missing ? text(exists ? 'error.notFound' : 'error.unmatched', { path }) : text('error.server')
  return (
    <Notice above={text('error.title', { status: String(status) })} title={title} words={words}>
      {home}
    </Notice>
  )
}
