import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '#locales/languages.ts'
import { checkLanguages } from './check.ts'

describe('the texts of', () => {
  const findings = checkLanguages(join(import.meta.dirname, '../..'))

  it.each(languages.map(({ code }) => code))('%s have no findings', (code) => {
    expect(findings.get(code)?.map(({ where, what }) => `${where}: ${what}`)).toEqual([])
  })
})
