import { useEffect, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { useText } from '../../i18n/text.tsx'
import { useFocusAfterRemoval } from './section.tsx'
import css from './developer.module.css'

interface Props {
  title: string
  value: string
  onClose: () => void
}

/**
 * A secret that cannot be shown again. It stays in the page until it is closed; a dialog could be dismissed by
 * accident.
 */
export function ShownOnce({ title, value, onClose }: Props) {
  const text = useText()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => ref.current?.focus(), [])
  useFocusAfterRemoval()
  return (
    <div ref={ref} className={css.once} role="group" aria-label={title} tabIndex={-1}>
      <strong>{title}</strong>
      <code dir="ltr">{value}</code>
      <p className={css.words}>{text('account.keys.once')}</p>
      <div className={css.buttons}>
        <CopyButton value={value}>{text('address.copy')}</CopyButton>
        <Button onClick={onClose}>{text('recovery.close')}</Button>
      </div>
    </div>
  )
}
