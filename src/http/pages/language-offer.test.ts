import { expect, test } from 'vitest'
import { acceptedLanguages, offerFor } from './language-offer.ts'

test.each([
  ['de-AT,de;q=0.9,en;q=0.5', ['de-AT', 'de', 'en']],
  ['en;q=0.4, fr;q=0.8', ['fr', 'en']],
  ['*', []],
  ['de;q=0, en', ['en']],
  ['', []],
])('reads %s', (header, tags) => expect(acceptedLanguages(header)).toEqual(tags))

const offerTexts = (code: string) => ({ text: `text in ${code}`, accept: 'accept', dismiss: 'dismiss' })

test.each([
  ['de-AT', {}, 'en', 'de'],
  ['de-AT', {}, 'de', undefined],
  ['tlh', {}, 'en', undefined],
  ['de', { mayfly_locale: 'fr' }, 'en', 'fr'],
  ['de', { mayfly_locale: 'fr' }, 'fr', undefined],
  ['de', { mayfly_offer: 'no' }, 'en', undefined],
])('%s with the cookies %j on a page in %s: %s', (accepted, cookies: Record<string, string>, lang, code) => {
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  const request = { headers: { 'accept-language': accepted, cookie } }
  const offer = code === undefined ? null : { code, ...offerTexts(code) }
  expect(offerFor({ offerTexts }, request, lang)).toEqual(offer)
})
