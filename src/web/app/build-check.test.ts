import { describe, expect, test } from 'vitest'
import { createBuildCheck } from './build-check.ts'

function stage(latest: unknown = { id: 'old' }) {
  const time = { now: 1_000_000 }
  const kept = new Map<string, string>()
  const loaded: string[] = []
  const answer = { latest }
  const check = createBuildCheck({
    buildId: 'old',
    fetchJson: async () => {
      if (answer.latest instanceof Error) throw answer.latest
      return answer.latest
    },
    clock: () => time.now,
    storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
    keep: () => void kept.set('forms', 'kept'),
    assign: (href) => loaded.push(href),
  })
  return { time, loaded, answer, check }
}

describe('a new build', () => {
  test.each([
    [{ id: 'old' }, false],
    [{ id: 'new' }, true],
    [{}, false],
    [null, false],
    ['nonsense', false],
    [new Error('no answer'), false],
  ])('of %j: %s', async (latest, stale) => {
    const { check } = stage(latest)
    await check.poll()
    expect(check.stale).toBe(stale)
  })

  test('reloads a path at most once in ten seconds, whatever its query', () => {
    const { check, time, loaded } = stage()
    expect(check.reload('/en?message=a')).toBe(true)
    time.now += 9999
    expect(check.reload('/en?message=b')).toBe(false)
    expect(check.reload('https://mayfly.example/en')).toBe(false)
    expect(check.reload('/en/change')).toBe(true)
    time.now += 1
    expect(check.reload('/en#x')).toBe(true)
    expect(loaded).toEqual(['/en?message=a', '/en/change', '/en#x'])
  })

  test('reloads again after the clock of the device was set back', () => {
    const { check, time } = stage()
    expect(check.reload('/en')).toBe(true)
    time.now -= 3_600_000
    expect(check.reload('/en')).toBe(true)
  })

  test('makes a navigation during a reload a full load', () => {
    const { check, loaded } = stage()
    expect(check.stale).toBe(false)
    check.reload('/en')
    expect(check.stale).toBe(true)
    expect(check.reload('/en/change')).toBe(true)
    expect(loaded).toEqual(['/en', '/en/change'])
  })

  test('does not alternate between two paths', () => {
    const { check, time, loaded } = stage()
    for (let i = 0; i < 5; i++) {
      check.reload('/en')
      check.reload('/en/change')
      time.now += 1000
    }
    expect(loaded).toEqual(['/en', '/en/change'])
  })

  test('stays known after later checks', async () => {
    const { check, answer } = stage({ id: 'new' })
    await check.poll()
    answer.latest = new Error('no answer')
    await check.poll()
    expect(check.stale).toBe(true)
  })
})
