import { expect, it } from 'vitest'
import { isName } from './names.ts'

it('recognizes names, acronyms and words with digits, also before a hyphen and a suffix', () => {
  expect(['Mayfly', 'Mayfly-', 'SMTP', 'APIs', 'MX', 'SHA-256', 'Server-Sent'].filter((word) => !isName(word))).toEqual(
    [],
  )
  expect(['temporary', 'Address', 'Inbox'].filter(isName)).toEqual([])
})
