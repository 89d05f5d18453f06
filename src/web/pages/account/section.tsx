import { createContext, type ReactNode, type RefObject, use, useEffect, useId, useRef } from 'react'
import css from './account.module.css'

interface Props {
  title: string
  /** Content beside the title, such as a count. */
  beside?: ReactNode
  children: ReactNode
}

const Heading = createContext<RefObject<HTMLHeadingElement | null> | null>(null)

/** One section of the account page. */
export function Section({ title, beside, children }: Props) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section className={css.section} aria-labelledby={id}>
      <div className={css.title}>
        <h2 ref={heading} id={id} tabIndex={-1}>
          {title}
        </h2>
        {beside === undefined ? null : <span className={css.beside}>{beside}</span>}
      </div>
      <Heading value={heading}>{children}</Heading>
    </section>
  )
}

/** When the component is removed with the button that had the focus, moves it to the heading of the section. */
export function useFocusAfterRemoval(): void {
  const heading = use(Heading)
  useEffect(
    () => () => {
      if (document.activeElement === document.body) heading?.current?.focus()
    },
    [heading],
  )
}
