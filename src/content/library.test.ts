import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languages } from '#locales/languages.ts'
import { exampleFigures, type Figures } from './figures.ts'
import { createLibrary } from './library.ts'

const DIRECTORY = join(import.meta.dirname, '../../content')

const FIGURES = exampleFigures('en-US')
const figures = (): Figures => FIGURES

test.each(languages.map(({ code }) => code))(
  'the Premium page in %s mentions forwarding only if it is available',
  (code) => {
    const items = (forwarding: boolean) => {
      const { html } = createLibrary(DIRECTORY, { forwarding, figures }).page('premium', code)
      expect(html).not.toContain('<!--')
      return html.split('<li>').slice(1, 10)
    }
    const [all, without] = [items(true), items(false)]
    expect(all.filter((item) => !without.includes(item))).toHaveLength(1)
    expect(all.find((item) => !without.includes(item))).toContain('106')
  },
)

test.each(languages.map(({ code }) => code))(
  'the Premium page in %s has each number of the configuration once',
  (code) => {
    const page = (of: Partial<Figures>) =>
      createLibrary(DIRECTORY, { forwarding: true, figures: () => ({ ...FIGURES, ...of }) }).page('premium', code).html
    for (const value of Object.values(FIGURES)) expect(page({}).split(value ?? '')).toHaveLength(2)
    expect(page({}).split('<li>')).toHaveLength(13)
    expect(page({ ownDomains: null }).split('<li>')).toHaveLength(12)
  },
)
