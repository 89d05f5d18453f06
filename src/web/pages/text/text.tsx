import { usePayload } from '../../app/page.tsx'
import { Faq } from '../../components/faq.tsx'
import { Prose } from '../../components/prose.tsx'
import { LegalNotice } from './legal-notice.tsx'
import page from '../../components/page.module.css'
import css from './text.module.css'

/** A text page: terms, privacy, questions. */
export function TextPage() {
  const { text, operator } = usePayload('text').data
  return (
    <article className={page.page}>
      <h1>{text.title}</h1>
      <Prose split html={text.html} />
      {operator ? <LegalNotice operator={operator} /> : null}
      {'questions' in text ? (
        <div className={css.questions}>
          <Faq heading="h2" questions={text.questions} />
        </div>
      ) : null}
    </article>
  )
}
