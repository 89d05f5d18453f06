import { type MessageKey, useText } from '../i18n/text.tsx'
import type { Control } from './field.tsx'

interface Props extends Control {
  name: string
  /** Value and message key of each option. */
  options: readonly (readonly [string, MessageKey])[]
  chosen: string | undefined
}

/** A required select with a prompt. */
export function Choice({ options, chosen = '', ...control }: Props) {
  const text = useText()
  const known = options.some(([value]) => value === chosen)
  return (
    // The key remounts the select when the query parameter changes.
    <select key={chosen} required defaultValue={known ? chosen : ''} {...control}>
      <option value="" disabled>
        {text('contact.reasonPrompt')}
      </option>
      {options.map(([value, key]) => (
        <option key={value} value={value}>
          {text(key)}
        </option>
      ))}
    </select>
  )
}
