import type { TextJson } from '#contract/content.ts'
import { Prose } from '../../components/prose.tsx'
import { useText } from '../../i18n/text.tsx'
import css from './about.module.css'

const POINTS = ['one', 'two', 'three'] as const

export function About() {
  const text = useText()
  return (
    <section className={css.how} aria-labelledby="about-title">
      <h2 id="about-title">{text('about.title')}</h2>
      <div className={css.points}>
        {POINTS.map((point) => (
          <div key={point}>
            <h3>{text(`about.${point}.title`)}</h3>
            <p>{text(`about.${point}.text`)}</p>
          </div>
        ))}
      </div>
    </section>
  )
}

/** The long text below the tool. `named`: the text's title differs from the page's and becomes the section's label. */
export function AboutText({ text, named }: { text: TextJson; named: boolean }) {
  return (
    <section className={css.about} aria-label={named ? text.title : undefined}>
      <Prose split html={text.html} />
    </section>
  )
}
