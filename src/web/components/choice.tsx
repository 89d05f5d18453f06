import { type MessageKey, useText } from '../i18n/text.tsx'
import type { Control } from './field.tsx'

interface Props extends Control {
  name: string
  /** Value and words of each option. */
  options: readonly (readonly [string, MessageKey])[]
  chosen: string | undefined
}

/** A select of which something must be chosen, with a prompt to do so. */
export function Choice({ options, chosen = '', ...control }: Props) {
  const text = useText()
  const known = options.some(([value]) => value === chosen)
  return (
    // Another choice in the address of the page is another select.
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
