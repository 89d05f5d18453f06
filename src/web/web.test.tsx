import { describe, expect, test } from 'vitest'
import { verdictOf } from './components/authenticity.tsx'
import { partsLeft } from './pages/home/time-left.tsx'

describe('verdictOf', () => {
  test.each([
    [{ spf: 'pass', dkim: 'pass', dmarc: 'pass' }, 'pass'],
    [{ spf: 'fail', dkim: 'pass', dmarc: 'pass' }, 'pass'],
    [{ spf: 'pass', dkim: 'pass', dmarc: 'fail' }, 'fail'],
    [{ spf: 'fail', dkim: 'none', dmarc: 'none' }, 'fail'],
    [{ spf: 'pass', dkim: 'pass', dmarc: 'none' }, 'none'],
    [{ spf: 'temperror', dkim: 'permerror', dmarc: 'temperror' }, 'none'],
    [{ spf: 'pending', dkim: 'pending', dmarc: 'pending' }, 'pending'],
  ] as const)('reduces %j to %s', (results, verdict) => expect(verdictOf(results)).toBe(verdict))
})

test.each([
  [86_400_000, 24, 0, 0],
  [3_661_000, 1, 1, 1],
  [999, 0, 0, 0],
  [-5000, 0, 0, 0],
])('splits %i ms into %i h %i min %i s', (left, hours, minutes, seconds) =>
  expect(partsLeft(left)).toEqual({ hours, minutes, seconds }),
)
