import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { useHydrated } from '../hooks/use-hydrated.ts'
import css from './button.module.css'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `main`: the primary action; `quiet`: subdued, an icon with a label. */
  look?: 'main' | 'plain' | 'quiet' | 'danger'
  icon?: ReactNode
  ref?: Ref<HTMLButtonElement>
  children: ReactNode
}

export const buttonClass = (look: NonNullable<Props['look']> = 'plain'): string => `${css.button} ${css[look]}`

/**
 * While it is disabled it keeps the focus, which browsers take from a button with the attribute `disabled`. It has that
 * attribute before scripts run, because nothing else would keep it from submitting its form then.
 */
export function Button({
  look = 'plain',
  icon,
  children,
  className,
  type = 'button',
  disabled = false,
  onClick,
  ...rest
}: Props) {
  const hydrated = useHydrated()
  return (
    <button
      type={type}
      className={`${buttonClass(look)} ${className ?? ''}`}
      disabled={disabled && !hydrated}
      aria-disabled={disabled || undefined}
      // Enter in a field of the form also clicks its button.
      onClick={disabled ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {icon}
      <span>{children}</span>
    </button>
  )
}
