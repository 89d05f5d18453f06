import { ChevronDown } from 'lucide-react'
import type { QuestionJson } from '#contract/content.ts'
import css from './faq.module.css'
import { Prose } from './prose.tsx'

/** Questions that open to their answers, without JavaScript too. */
export function Faq({ questions }: { questions: readonly QuestionJson[] }) {
  return (
    <div className={css.faq}>
      {questions.map(({ id, question, html }) => (
        <details key={id} id={id}>
          <summary>
            <h3>{question}</h3>
            <ChevronDown size={18} aria-hidden />
          </summary>
          <Prose html={html} />
        </details>
      ))}
    </div>
  )
}
