import { EMAIL_MAX_LENGTH } from '#core/operating/support.ts'
import { useText } from '../i18n/text.tsx'
import type { Control } from './field.tsx'

/** Input for the visitor's own email address, which receives the reply. */
export function EmailInput({ value, ...rest }: Control & { value: string | undefined; required?: boolean }) {
  const text = useText()
  return (
    <input
      name="email"
      type="email"
      dir="ltr"
      maxLength={EMAIL_MAX_LENGTH}
      autoComplete="email"
      placeholder={text('form.emailPrompt')}
      defaultValue={value}
      {...rest}
    />
  )
}
