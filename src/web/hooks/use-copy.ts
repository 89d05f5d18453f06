import { useCallback, useEffect, useState } from 'react'

const SHOWN = 2000

/**
 * Copies a text and reports success for two seconds. Without the Clipboard API (plain http) it uses `execCommand`.
 * Failures are silent.
 */
export function useCopy(): { copied: boolean; copy: (text: string) => void } {
  const [copiedAt, setCopiedAt] = useState(0)
  useEffect(() => {
    if (!copiedAt) return undefined
    const timer = setTimeout(() => setCopiedAt(0), SHOWN)
    return () => clearTimeout(timer)
  }, [copiedAt])
  const copy = useCallback((text: string) => {
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('No clipboard'))
    void written.then(
      () => setCopiedAt(Date.now()),
      () => copyBySelection(text) && setCopiedAt(Date.now()),
    )
  }, [])
  return { copied: copiedAt > 0, copy }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  // Placed inside the viewport so that focusing it does not scroll.
  field.style.position = 'fixed'
  field.style.insetBlockStart = '0'
  // A modal dialog makes everything outside inert, so the field is inserted into it.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return copied
}
