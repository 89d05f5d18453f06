import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useText } from '../i18n/text.tsx'
import css from './field.module.css'

/** Attributes that link an input, select or textarea to its label, hint and error. */
export interface Control {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

interface Props {
  label: string
  optional?: boolean
  hint?: string | undefined
  /** The error message, in the page's language. */
  problem?: string | undefined
  className?: string | undefined
  children: (control: Control) => ReactNode
}

/** A form row: label, control, hint and error. With an error, the control gets the focus and both are in view. */
export function Field({ label, optional = false, hint, problem, className = '', children }: Props) {
  const text = useText()
  const id = useId()
  const [hintId, problemId] = [`${id}hint`, `${id}problem`]
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem === undefined) return
    row.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    row.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])
  const described = [problem === undefined ? '' : problemId, hint === undefined ? '' : hintId].join(' ').trim()
  return (
    <div ref={row} className={`${css.field} ${className}`}>
      <label htmlFor={id}>
        {label}
        {optional ? <span className={css.optional}> ({text('form.optional')})</span> : null}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': problem === undefined ? undefined : true,
      })}
      {problem === undefined ? null : (
        <p id={problemId} className={css.problem}>
          {problem}
        </p>
      )}
      {hint === undefined ? null : (
        <p id={hintId} className={css.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface MessageInputProps extends Control {
  placeholder: string
  value: string | undefined
}

/** The text area of a message to the operator. */
export function MessageInput({ value, ...rest }: MessageInputProps) {
  return <textarea name="message" required defaultValue={value} {...rest} />
}
