import type { ButtonHTMLAttributes, ReactNode } from 'react'
import css from './button.module.css'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `main`: the primary action; `quiet`: subdued, an icon with a label. */
  look?: 'main' | 'plain' | 'quiet' | 'danger'
  icon?: ReactNode
  children: ReactNode
}

export const buttonClass = (look: NonNullable<Props['look']> = 'plain'): string => `${css.button} ${css[look]}`

export function Button({ look = 'plain', icon, children, className, type = 'button', ...rest }: Props) {
  return (
    <button type={type} className={`${buttonClass(look)} ${className ?? ''}`} {...rest}>
      {icon}
      <span>{children}</span>
    </button>
  )
}
