import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { messageIds } from '#core/mailbox/message-id.ts'
import { DAY } from '#core/time.ts'
import { createReturnPaths } from './srs.ts'

const NOW = Date.UTC(2026, 10, 21, 5)
const newId = messageIds(() => NOW, randomBytes)
const key = randomBytes(32)
const paths = createReturnPaths(key, { days: 30 })

test('a return path contains its job, fits into a local part and is case-insensitive', () => {
  for (let i = 0; i < 50; i++) {
    const id = newId()
    const path = paths.encode(id, NOW)
    expect(path).toMatch(/^SRS0=[a-z2-7]{16}=[a-z2-7]{2}=[0-9a-z]{26}$/)
    expect(path.length).toBeLessThanOrEqual(64)
    for (const written of [path, path.toLowerCase(), path.toUpperCase()]) expect(paths.decode(written, NOW)).toBe(id)
  }
})

test('is the same in every process with the key: known answer', () => {
  const known = createReturnPaths(Buffer.alloc(32, 1), { days: 30 })
  expect(known.encode('01ktjpq5g0a1b2c3d4e5f6g7h8', NOW)).toMatchInlineSnapshot(
    `"SRS0=bigzxpxi3xne2uzj=jk=01ktjpq5g0a1b2c3d4e5f6g7h8"`,
  )
})

test.each([0, 1, 29, 30])('is valid after %d days', (days) => {
  const id = newId()
  expect(paths.decode(paths.encode(id, NOW), NOW + days * DAY)).toBe(id)
})

test.each([31, 32, 500, 1022])('is invalid after %d days', (days) => {
  expect(paths.decode(paths.encode(newId(), NOW), NOW + days * DAY)).toBeUndefined()
})

test('handles the overflow of the day counter and a clock that is a day ahead', () => {
  const id = newId()
  for (let day = 0; day < 1030; day++) {
    const made = NOW + day * DAY
    expect(paths.decode(paths.encode(id, made), made + 30 * DAY)).toBe(id)
    expect(paths.decode(paths.encode(id, made), made - DAY)).toBe(id)
    expect(paths.decode(paths.encode(id, made), made - 2 * DAY)).toBeUndefined()
  }
})

test('rejects local parts that were not created with the key', () => {
  const path = paths.encode(newId(), NOW)
  expect(createReturnPaths(randomBytes(32), { days: 30 }).decode(path, NOW)).toBeUndefined()
  for (let i = 0; i < path.length; i++) {
    const other = path.charAt(i) === 'q' ? 'x' : 'q'
    expect(paths.decode(path.slice(0, i) + other + path.slice(i + 1), NOW), String(i)).toBeUndefined()
    expect(paths.decode(path.slice(0, i), NOW), String(i)).toBeUndefined()
  }
  for (const text of [
    '',
    'abuse',
    'SRS0',
    'srs0====',
    `${path}x`,
    ` ${path}`,
    `${path}\n`,
    `SRS1=${path}`,
    '='.repeat(1e6),
  ])
    expect(paths.decode(text, NOW), text.slice(0, 80)).toBeUndefined()
})
