import { expect, test } from 'vitest'
import { createTrouble } from './trouble.ts'

function open() {
  const reports: unknown[] = []
  const clock = { now: 0 }
  const report = { start: (error: unknown) => void reports.push(error), end: () => void reports.push('end') }
  return { reports, clock, trouble: createTrouble(report, () => clock.now) }
}

test('reports the start and the end once each', () => {
  const { reports, trouble } = open()
  trouble.end()
  trouble.start('first')
  trouble.start('second')
  trouble.end()
  trouble.end()
  expect(reports).toEqual(['first', 'end'])
})

test.each([
  [59_999, ['first', 'end']],
  [60_000, ['first', 'end', 'again', 'end']],
])('trouble that comes back %i ms after its start', (time, expected) => {
  const { reports, clock, trouble } = open()
  trouble.start('first')
  trouble.end()
  clock.now = time
  trouble.start('again')
  trouble.end()
  expect(reports).toEqual(expected)
})

test('trouble that comes back early and stays is reported later', () => {
  const { reports, clock, trouble } = open()
  trouble.start('first')
  trouble.end()
  trouble.start('again')
  clock.now = 60_000
  trouble.start('again')
  expect(reports).toEqual(['first', 'end', 'again'])
})
