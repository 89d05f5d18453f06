import { expect, test } from 'vitest'
import { differsMuch } from './message-head.tsx'

test.each([
  ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z', false],
  ['2026-03-01T12:00:00.000Z', '2026-03-01T12:09:59.999Z', false],
  ['2026-03-01T12:00:00.000Z', '2026-03-01T12:10:00.000Z', false],
  ['2026-03-01T12:00:00.000Z', '2026-03-01T12:10:00.001Z', true],
  ['2026-03-01T12:10:00.000Z', '2026-03-01T12:00:00.000Z', false],
  ['2026-03-01T12:10:00.001Z', '2026-03-01T12:00:00.000Z', true],
])('shows the arrival of a message sent %s and arrived %s: %s', (date, receivedAt, much) =>
  expect(differsMuch(date, receivedAt)).toBe(much),
)
