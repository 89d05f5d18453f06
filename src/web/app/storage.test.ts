import { afterEach, expect, test, vi } from 'vitest'
import { local } from './storage.ts'

afterEach(() => vi.unstubAllGlobals())

/** A storage that holds one value, and refuses longer ones than `most` characters. */
function small(most: number) {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => kept.delete(key),
    setItem(key: string, value: string) {
      if (value.length > most) throw new DOMException('full', 'QuotaExceededError')
      kept.set(key, value)
    },
  })
  return kept
}

test('a value that does not fit is read back from memory, until one that fits or its removal', () => {
  const kept = small(3)
  local.setItem('a', 'abc')
  local.setItem('a', 'abcd')
  expect(local.getItem('a')).toBe('abcd')
  local.setItem('a', 'abd')
  expect([local.getItem('a'), kept.get('a')]).toEqual(['abd', 'abd'])
  local.setItem('a', 'abcd')
  local.removeItem('a')
  expect([local.getItem('a'), kept.size]).toEqual([null, 0])
})

test('without a storage, values are kept in memory', () => {
  vi.stubGlobal('localStorage', undefined)
  local.setItem('b', 'value')
  expect(local.getItem('b')).toBe('value')
  local.removeItem('b')
  expect(local.getItem('b')).toBeNull()
})
