import { Monitor, Moon, Sun } from 'lucide-react'
import { useEffect, useState } from 'react'
import { local } from '../app/storage.ts'
import { COLORS_KEY } from '../document/colors.ts'
import { useText } from '../i18n/text.tsx'
import css from './layout.module.css'

const CHOICES = [
  ['auto', Monitor],
  ['light', Sun],
  ['dark', Moon],
] as const

/** Light colors, dark colors, or those of the device. An inline script sets the choice before the first paint. */
export function Colors() {
  const text = useText()
  const [colors, setColors] = useState('auto')
  useEffect(() => setColors(local.getItem(COLORS_KEY) ?? 'auto'), [])

  function choose(choice: string): void {
    const { dataset } = document.documentElement
    if (choice === 'auto') {
      local.removeItem(COLORS_KEY)
      delete dataset.colors
    } else {
      local.setItem(COLORS_KEY, choice)
      dataset.colors = choice
    }
    for (const meta of document.querySelectorAll<HTMLMetaElement>('[name=theme-color]')) {
      const own = meta.dataset.colors
      meta.media = choice === 'auto' ? `(prefers-color-scheme: ${own})` : choice === own ? 'all' : 'not all'
    }
    setColors(choice)
  }

  return (
    <div className={`${css.colors} needs-script`} role="group" aria-label={text('colors.title')}>
      {CHOICES.map(([choice, Icon]) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === colors}
          title={text(`colors.${choice}`)}
          aria-label={text(`colors.${choice}`)}
          onClick={() => choose(choice)}
        >
          <Icon size={18} aria-hidden />
        </button>
      ))}
    </div>
  )
}
