import { expect, it } from 'vitest'
import { checkCopied, checkFunctionWords, checkLatinRuns, checkUntranslated } from './english.ts'

it('finds English in a Latin text by its function words', () => {
  expect(checkFunctionWords('Die Adresse ist da, and the mail comes.', 'de')).toHaveLength(1)
  expect(checkFunctionWords('De post is of blijft op de server.', 'nl')).toEqual([])
  expect(checkFunctionWords('Drücken Sie „Add to Home Screen“.', 'de')).toEqual([])
})

it('finds consecutive Latin words in other scripts, except names', () => {
  expect(checkLatinRuns('यह your temporary address है')).toEqual(['has Latin words in it: "your temporary address"'])
  expect(checkLatinRuns('यह SPF DKIM DMARC, Mayfly API, Samsung Internet है')).toEqual([])
})

it('finds untranslated sentences', () => {
  const source = new Set(['Open the page and wait', 'Stripe BTCPay Server API'])
  expect(checkUntranslated('Gut. Open the page and wait. Fertig.', source)).toHaveLength(1)
  expect(checkUntranslated('Stripe BTCPay Server API', source)).toEqual([])
})

it('accepts one identical word of a message in a Latin language', () => {
  expect(checkCopied('Code', 'de')).toEqual([])
  expect(checkCopied('QR code', 'de')).toEqual([])
  expect(checkCopied('Temp number', 'de')).toHaveLength(1)
  expect(checkCopied('Code', 'hi')).toHaveLength(1)
  expect(checkCopied('Mayfly API', 'hi')).toEqual([])
})
