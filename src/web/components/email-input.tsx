import { useText } from '../i18n/text.tsx'
import type { Control } from './field.tsx'

/** RFC 5321 4.5.3.1.3 */
const MAX_LENGTH = 254

/** Where the answer goes: a real address of the visitor. */
export function EmailInput({ value, ...rest }: Control & { value: string | undefined; required?: boolean }) {
  const text = useText()
  return (
    <input
      name="email"
      type="email"
      dir="ltr"
      maxLength={MAX_LENGTH}
      autoComplete="email"
      placeholder={text('form.emailPrompt')}
      defaultValue={value}
      {...rest}
    />
  )
}
