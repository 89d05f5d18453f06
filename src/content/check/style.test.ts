import { describe, expect, it } from 'vitest'
import { PLACEHOLDER } from './passage.ts'
import { checkStyle, LONGEST } from './style.ts'

const sentence = (words: number): string => `${Array.from({ length: words }, () => 'word').join(' ')}.`

describe.each(['interface', 'document'] as const)('in the %s', (kind) => {
  it.each([
    'Each mail is kept.',
    'Delete the mails.',
    'Your e-mail',
    'Somebody has it.',
    'It is deleted at once.',
    'It ends by itself.',
    'It goes on receiving email.',
    'This address has ended.',
    'Addresses live for a day.',
    'Your present address',
    'It was paid back.',
    'The free rules apply.',
    'Frequent questions',
    'Choose a colour.',
    'Canceled or cancelled',
    "Don't share it.",
    sentence(LONGEST[kind] + 1),
  ])('finds: %s', (text) => {
    expect(checkStyle(text, kind)).toHaveLength(1)
  })

  it.each([
    'Temp mail, 10 Minute Mail, a mail server, a mailing list',
    'The address expires. Forwarding ends on Monday.',
    'We’ll email someone else immediately.',
    `${sentence(LONGEST[kind])} ${sentence(LONGEST[kind])}`,
    `Open ${PLACEHOLDER}.`,
  ])('accepts: %s', (text) => {
    expect(checkStyle(text, kind)).toEqual([])
  })
})

it('is stricter in the interface', () => {
  for (const text of ['It is here; it is not there.', 'This cannot be undone.', sentence(LONGEST.document)]) {
    expect(checkStyle(text, 'document')).toEqual([])
    expect(checkStyle(text, 'interface').length).toBeGreaterThan(0)
  }
})
