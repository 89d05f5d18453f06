import type { Control } from './field.tsx'

interface Props extends Control {
  placeholder: string
  value: string | undefined
}

/** Where a visitor writes to the operator. */
export function MessageInput({ value, ...rest }: Props) {
  return <textarea name="message" required defaultValue={value} {...rest} />
}
