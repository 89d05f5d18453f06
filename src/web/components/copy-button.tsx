import { Check, Copy } from 'lucide-react'
import { useCopy } from '../hooks/use-copy.ts'
import { useText } from '../i18n/text.tsx'
import { Button } from './button.tsx'

interface Props {
  value: string
  /** Label for screen readers; defaults to the button's text. */
  label?: string
  children: string
  className?: string | undefined
  look?: 'main' | 'plain'
}

/** Copies a value, and confirms it visibly and to screen readers. */
export function CopyButton({ value, label, children, className, look = 'main' }: Props) {
  const text = useText()
  const { copied, copy } = useCopy()
  return (
    <>
      <Button
        look={look}
        className={`needs-script ${className ?? ''}`}
        aria-label={label}
        icon={copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
        onClick={() => copy(value)}
      >
        {copied ? text('address.copied') : children}
      </Button>
      <span className="quiet" role="status">
        {copied ? text('address.copied') : ''}
      </span>
    </>
  )
}
