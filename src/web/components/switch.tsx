import { useId } from 'react'
import css from './switch.module.css'

interface Props {
  label: string
  /** A line below the label. */
  words?: string | undefined
  on: boolean
  disabled?: boolean
  onSwitch: () => void
}

/** A setting that is on or off. */
export function Switch({ label, words, on, disabled, onSwitch }: Props) {
  const id = useId()
  return (
    <label className={css.switch}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={on}
        aria-describedby={words ? id : undefined}
        aria-label={label}
        checked={on}
        disabled={disabled}
        onChange={onSwitch}
      />
      <span>
        {label}
        {words ? (
          <small id={id} className={css.words}>
            {words}
          </small>
        ) : null}
      </span>
    </label>
  )
}
