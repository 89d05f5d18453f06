import { expect, it } from 'vitest'
import { checkQuoted } from './quoted.ts'

const source = { copy: 'Copy', copyLink: 'Copy' }
const own = { copy: 'Kopieren', copyLink: 'Link kopieren' }

it('requires the interface texts that the source quotes', () => {
  expect(checkQuoted('Auf „Kopieren“ klicken', 'Press “Copy”', own, source)).toEqual([])
  expect(checkQuoted('Auf „Abschreiben“ klicken', 'Press "Copy"', own, source)).toEqual([
    'quotes "Copy", but does not contain the text of the interface: Kopieren or Link kopieren',
  ])
  expect(checkQuoted('Der Knopf', 'The “big” button', own, source)).toEqual([])
})
