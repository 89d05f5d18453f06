import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languages } from '#locales/languages.ts'
import { createLibrary } from './library.ts'

const DIRECTORY = join(import.meta.dirname, '../../content')

test.each(languages.map(({ code }) => code))(
  'the Premium page in %s mentions forwarding only if it is available',
  (code) => {
    const items = (forwarding: boolean) => {
      const { html } = createLibrary(DIRECTORY, { forwarding }).page('premium', code)
      expect(html).not.toContain('<!--')
      return html.split('<li>').slice(1, 10)
    }
    const [all, without] = [items(true), items(false)]
    expect(all.filter((item) => !without.includes(item))).toHaveLength(1)
    expect(all.find((item) => !without.includes(item))).toMatch(/[3３۳৩၃]/)
  },
)
