import { type ReactNode, useId } from 'react'
import css from './account.module.css'

interface Props {
  title: string
  /** Content beside the title, such as a count. */
  beside?: ReactNode
  children: ReactNode
}

/** One section of the account page. */
export function Section({ title, beside, children }: Props) {
  const id = useId()
  return (
    <section className={css.section} aria-labelledby={id}>
      <div className={css.title}>
        <h2 id={id}>{title}</h2>
        {beside === undefined ? null : <span className={css.beside}>{beside}</span>}
      </div>
      {children}
    </section>
  )
}
