import { describe, expect, it } from 'vitest'
import { checkAvoided, checkGlossary, checkTerms, type Glossary, termsIn } from './glossary.ts'

const english: Glossary = {
  address: { use: ['address', 'addresses'] },
  key: { use: ['key', 'keys'] },
  'API key': { use: ['API key', 'API keys'] },
}
const german: Glossary = {
  address: { use: ['adresse'], avoid: ['Anschrift'], except: ['a.b'] },
  key: { use: [] },
  'API key': { use: ['API-Schlüssel'] },
}

describe('termsIn', () => {
  it.each([
    ['Two addresses', ['address']],
    ['Readdressed to a keyboard', []],
    ['A key', ['key']],
    ['API keys of an Address', ['API key', 'address']],
    ['API keys and the key', ['API key', 'key']],
  ])('finds in %j: %j', (text, terms) => {
    expect(termsIn(text, english).toSorted()).toEqual(terms.toSorted())
  })
})

describe('checkTerms', () => {
  const check = (key: string, text: string, source: string) =>
    checkTerms(key, text, source, { own: german, english, locale: 'de' })

  it('accepts stems in any case, exceptions, and terms that have no stem', () => {
    expect(check('a.a', 'Alle Adressen, Ihr API-Schlüssel', 'All addresses, your API key')).toEqual([])
    expect(check('a.a', 'Alles', 'All keys')).toEqual([])
    expect(check('a.b', 'Alles', 'All addresses')).toEqual([])
  })

  it('finds a message without the term', () => {
    expect(check('a.a', 'Alles', 'All addresses')).toEqual([expect.stringContaining('"address"')])
  })

  it('knows the lower case of the language', () => {
    const own = { address: { use: ['ILIK'] } }
    expect(checkTerms('a', 'ılık', 'An address', { own, english, locale: 'tr' })).toEqual([])
    expect(checkTerms('a', 'ılık', 'An address', { own, english, locale: 'de' })).toHaveLength(1)
  })
})

describe('checkAvoided', () => {
  const glossary: Glossary = { address: { use: ['地址'], avoid: ['邮址', 'mail'] } }

  it('finds a whole word, or any part of a text without spaces', () => {
    expect(checkAvoided('这个邮址', glossary)).toEqual(['says "邮址" for "address", not 地址'])
    expect(checkAvoided('Your Mail.', glossary)).toHaveLength(1)
    expect(checkAvoided('Gmail, mailing, email', glossary)).toEqual([])
    expect(checkAvoided('A 10 Minute Mail address', glossary)).toEqual([])
  })
})

describe('checkGlossary', () => {
  const messages = { 'a.b': 'An address', 'a.c': 'A key' }
  const check = (own: Glossary) => checkGlossary(own, { glossary: english, messages })

  it('accepts a complete glossary', () => {
    expect(check(german)).toEqual([])
  })

  it('finds missing and unknown terms and exceptions without effect', () => {
    const { key: _, ...fewer } = german
    expect(check(fewer)).toEqual(['lacks the terms key'])
    expect(check({ ...german, other: { use: [] } })).toEqual([expect.stringContaining('other')])
    expect(check({ ...german, address: { use: [], except: ['a.c', 'a.d'] } })).toEqual([
      'has exceptions for nothing: address of a.c, address of a.d',
    ])
  })
})
