import { expect, test } from 'vitest'
import { differsMuch } from './differs-much.ts'

test.each([
  ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z', false],
  ['2026-03-01T12:00:00.000Z', '2026-03-01T12:09:59.999Z', false],
  ['2026-03-01T12:00:00.000Z', '2026-03-01T12:10:00.000Z', false],
  ['2026-03-01T12:00:00.000Z', '2026-03-01T12:10:00.001Z', true],
  ['2026-03-01T12:10:00.000Z', '2026-03-01T12:00:00.000Z', false],
  ['2026-03-01T12:10:00.001Z', '2026-03-01T12:00:00.000Z', true],
])('sent %s, arrived %s: %s', (date, receivedAt, much) => expect(differsMuch(date, receivedAt)).toBe(much))
