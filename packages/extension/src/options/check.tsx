import { useId } from 'react'
import css from './options.module.css'

interface Props {
  label: string
  hint: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A check box with a hint. */
export function Check({ label, hint, checked, onChange }: Props) {
  const id = useId()
  return (
    <div className={css.check}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={`${id}hint`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      <p id={`${id}hint`}>{hint}</p>
    </div>
  )
}
