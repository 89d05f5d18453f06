import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Figures, numberLocale } from '#content/figures.ts'
import { createLibrary } from '#content/library.ts'
import { languages } from '#locales/languages.ts'
import { benefitsOf } from './benefits.ts'

const figures = (): Figures => ({ days: 45 }) as Figures
const CONTENT = fileURLToPath(new URL('../../../../content', import.meta.url))

test.each(languages.map(({ code }) => code))(
  'lists all benefits in %s, forwarding only where there is a relay',
  (code) => {
    const items = (forwarding: boolean): string[] =>
      benefitsOf(
        createLibrary(CONTENT, { forwarding, premiumDomains: true, figures }).page('premium', code).html,
      ).match(/<li>.*?<\/li>/gs) ?? []
    expect(items(true)).toHaveLength(8)
    expect(items(false)).toHaveLength(7)
    expect(items(true)[0]).toContain(new Intl.NumberFormat(numberLocale(code)).format(45))
  },
)
