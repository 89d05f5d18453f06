import type { TextJson } from '#contract/content.ts'
import { Prose } from '../../components/prose.tsx'
import css from './about.module.css'

/** The long text below the tool. `named`: it has a title of its own, and not that of the page. */
export function Explained({ text, named }: { text: TextJson; named: boolean }) {
  return (
    <section className={css.about} aria-label={named ? text.title : undefined}>
      <Prose html={text.html} />
    </section>
  )
}
