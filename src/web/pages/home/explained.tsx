import type { TextJson } from '#contract/content.ts'
import { Prose } from '../../components/prose.tsx'
import css from './about.module.css'

/** The long text below the tool. */
export function Explained({ text }: { text: TextJson }) {
  return (
    <section className={css.about} aria-label={text.title}>
      <Prose html={text.html} />
    </section>
  )
}
