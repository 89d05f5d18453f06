import { expect, it } from 'vitest'
import { isName } from './names.ts'

it('knows names, acronyms and words with digits, with suffixes after a hyphen, too', () => {
  expect(['Mayfly', 'Mayfly-', 'SMTP', 'APIs', 'MX', 'SHA-256', 'Server-Sent'].filter((word) => !isName(word))).toEqual(
    [],
  )
  expect(['temporary', 'Address', 'Inbox'].filter(isName)).toEqual([])
})
