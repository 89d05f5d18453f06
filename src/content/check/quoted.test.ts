import { expect, it } from 'vitest'
import { checkQuoted } from './quoted.ts'

const source = { copy: 'Copy', copyLink: 'Copy' }
const own = { copy: 'Kopieren', copyLink: 'Link kopieren' }

it('wants the words of the interface where the source quotes them', () => {
  expect(checkQuoted('Auf „Kopieren“ klicken', 'Press “Copy”', own, source)).toEqual([])
  expect(checkQuoted('Auf „Abschreiben“ klicken', 'Press "Copy"', own, source)).toEqual([
    'quotes "Copy", but has not the word of the interface for it: Kopieren or Link kopieren',
  ])
  expect(checkQuoted('Der Knopf', 'The “big” button', own, source)).toEqual([])
})
