import { useState } from 'react'
import { local } from '../app/storage.ts'
import { COLORS_KEY } from '../document/colors.ts'
import { useText } from '../i18n/text.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import css from './dialog.module.css'

const CHOICES = ['auto', 'light', 'dark'] as const

/** Applies and keeps the chosen colors. An inline script does it before the first paint of every later page. */
function apply(choice: string): void {
  const own = choice === 'auto' ? '' : choice
  document.documentElement.dataset.colors = own
  if (own) local.setItem(COLORS_KEY, own)
  else local.removeItem(COLORS_KEY)
  for (const meta of document.querySelectorAll<HTMLMetaElement>('[name=theme-color]')) {
    const { colors } = meta.dataset
    meta.media = own ? (own === colors ? 'all' : 'not all') : `(prefers-color-scheme: ${colors})`
  }
}

/** Light colors, dark colors, or those of the device. */
export function ColorsDialog({ onClose }: { onClose: () => void }) {
  const text = useText()
  const [colors, setColors] = useState(() => local.getItem(COLORS_KEY) ?? 'auto')
  return (
    <Dialog
      title={text('colors.title')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{text('recovery.close')}</Button>}
    >
      <div className={css.choices} role="radiogroup" aria-label={text('colors.title')}>
        {CHOICES.map((choice) => (
          <label key={choice}>
            <input
              type="radio"
              name="colors"
              checked={colors === choice}
              onChange={() => {
                apply(choice)
                setColors(choice)
              }}
            />
            {text(`colors.${choice}`)}
          </label>
        ))}
      </div>
    </Dialog>
  )
}
