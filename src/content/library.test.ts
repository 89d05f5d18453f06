import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languages } from '#locales/languages.ts'
import { exampleFigures, type Figures } from './figures.ts'
import { createLibrary } from './library.ts'

const DIRECTORY = join(import.meta.dirname, '../../content')

const premium = (code: string, of: Partial<Figures> = {}, forwarding = true) => {
  const figures = (locale: string) => ({ ...exampleFigures(locale), ...of })
  return createLibrary(DIRECTORY, { forwarding, figures }).page('premium', code).html
}

test.each(languages.map(({ code }) => code))(
  'the Premium page in %s mentions forwarding only if it is available',
  (code) => {
    const items = (forwarding: boolean) => {
      const html = premium(code, {}, forwarding)
      expect(html).not.toContain('<!--')
      return html.split('<li>').slice(1, 10)
    }
    const [all, without] = [items(true), items(false)]
    expect(all.filter((item) => !without.includes(item))).toHaveLength(1)
  },
)

test.each(languages.map(({ code }) => code))(
  'the Premium page in %s has an item less if there are no own domains',
  (code) => {
    const items = (of: Partial<Figures>) => premium(code, of).split('<li>').length
    expect(items({ ownDomains: null })).toBe(items({}) - 1)
  },
)
