import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'
import css from './notice.module.css'

interface Props {
  /** A short heading above the title, such as a status code. */
  above?: string
  title: string
  words?: ReactNode
  /** Actions below the text. */
  children: ReactNode
}

/** A message in the middle of an otherwise empty page. */
export function Notice({ above, title, words, children }: Props) {
  return (
    <section className={css.notice}>
      <Logo size={72} />
      {above ? <p className={css.above}>{above}</p> : null}
      <h1>{title}</h1>
      {words ? <p className={css.words}>{words}</p> : null}
      {children}
    </section>
  )
}
