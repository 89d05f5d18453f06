import { ChevronDown } from 'lucide-react'
import type { QuestionJson } from '#contract/content.ts'
import { Prose } from './prose.tsx'
import css from './faq.module.css'

interface Props {
  questions: readonly QuestionJson[]
  /** Heading level of the questions. */
  heading: 'h2' | 'h3'
}

/** Questions that expand to their answers, also without JavaScript. */
export function Faq({ questions, heading: Heading }: Props) {
  return (
    <div className={css.faq}>
      {questions.map(({ id, question, html }) => (
        <details key={id} id={id}>
          <summary>
            <Heading>{question}</Heading>
            <ChevronDown size={18} aria-hidden />
          </summary>
          <Prose html={html} />
        </details>
      ))}
    </div>
  )
}
