import { expect, test } from 'vitest'
import { helpReply } from './offers.ts'

test.each([
  [false, false, /VRFY; see/],
  [true, false, /VRFY STARTTLS; see/],
  [false, true, /VRFY AUTH; see/],
  [true, true, /VRFY STARTTLS AUTH; see/],
])('HELP lists what is offered: STARTTLS %s, AUTH %s', (startTls, auth, expected) =>
  expect(helpReply(startTls, auth)).toMatch(expected),
)
