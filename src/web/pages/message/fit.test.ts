import { describe, expect, test } from 'vitest'
import { type Fit, firstFit, fitTo, isMeasured, MAX_HEIGHT } from './fit.ts'

const fitAll = (available: number, ...reports: [at: number, width: number, height: number][]): Fit =>
  reports.reduce((fit, [at, width, height]) => fitTo(fit, { at, width, height }, available), firstFit(available))

describe('a message', () => {
  test('that fits keeps the width of the page and gets its own height', () =>
    expect(fitAll(390, [390, 390, 1234.2])).toEqual({ width: 390, height: 1235, steps: 0 }))

  test('that is wider is laid out at its own width', () =>
    expect(fitAll(390, [390, 600, 2000], [600, 600, 900])).toEqual({ width: 600, height: 900, steps: 1 }))

  test('that becomes wider again is measured three times at most', () =>
    expect(fitAll(390, [390, 500, 1], [500, 600, 1], [600, 700, 1], [700, 800, 90])).toEqual({
      width: 700,
      height: 90,
      steps: 3,
    }))

  test('that claims to be endless stays within bounds', () => {
    const { width, height } = fitAll(390, [390, 1e9, 1e9], [975, 1e9, 1e9])
    expect([width, height]).toEqual([975, MAX_HEIGHT])
    expect(fitAll(390, [390, -5, -5]).height).toBeGreaterThan(0)
  })

  test('ignores measurements at another width', () =>
    expect(fitAll(390, [800, 800, 50])).toEqual({ width: 390, height: null, steps: 0 }))
})

test.each([
  [{ at: 1, width: 2, height: 3 }, true],
  [{ at: 1, width: 2, height: Infinity }, false],
  [{ at: 1, width: '2', height: 3 }, false],
  [{ ready: true }, false],
  ['x', false],
  [null, false],
])('%o is a measurement: %s', (data, is) => expect(isMeasured(data)).toBe(is))
