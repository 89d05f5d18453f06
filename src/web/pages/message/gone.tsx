import { type ReactNode, useEffect, useRef } from 'react'
import { Back } from './back.tsx'
import css from './message.module.css'

/** What the page shows in place of a message, below the link to the list. */
export function InPlaceOfMessage({ role, children }: { role: 'alert' | 'status'; children: ReactNode }) {
  return (
    <section className={css.message}>
      <div className={css.bar}>
        <Back />
      </div>
      <div className={`${css.sheet} ${css.alone}`} role={role}>
        {children}
      </div>
    </section>
  )
}

/** In place of a message that was deleted or whose address expired. It takes the focus if that was in the message. */
export function Gone({ title, children }: { title: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <InPlaceOfMessage role="alert">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </InPlaceOfMessage>
  )
}
