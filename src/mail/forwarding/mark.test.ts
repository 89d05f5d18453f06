import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { messageIds } from '#core/mailbox/message-id.ts'
import { createForwardingMarks } from './mark.ts'

const newId = messageIds(Date.now, randomBytes)
const random = (): string => randomBytes(16).toString('base64url')
const { mark, readMark, stopToken, readStopToken } = createForwardingMarks(randomBytes(32))
const other = createForwardingMarks(randomBytes(32))

/** Returns all texts that differ from `text` in one character, and all its prefixes. */
const similarTo = (text: string): string[] =>
  Array.from(text, (character, i) => [
    text.slice(0, i) + (character === 'A' ? 'B' : 'A') + text.slice(i + 1),
    text.slice(0, i),
  ]).flat()

test('a mark contains its job, and only the service can create one', () => {
  const id = newId()
  const made = mark(id)
  expect(made).toMatch(/^[0-9a-z]{26}\.[\w-]{22}$/)
  expect(readMark(made)).toBe(id)
  expect(other.readMark(made)).toBeUndefined()
  for (const text of [...similarTo(made), `${made} `, `${made}\n`, ` ${made}`])
    expect(readMark(text), text).toBeUndefined()
})

test('a stop token contains a route and its destination, and only the service can create one', () => {
  const route = { addressId: random(), destinationKey: random() }
  const made = stopToken(route)
  expect(made).toMatch(/^[\w-]{66}$/)
  const read = readStopToken(made)
  expect(read?.destinationKey).toBe(route.destinationKey)
  expect(read?.isOf(route)).toBe(true)
  expect(read?.isOf({ ...route, addressId: random() })).toBe(false)
  expect(made).not.toContain(route.addressId)
  expect(other.readStopToken(made)).toBeUndefined()
  for (const text of [...similarTo(made), `${made}A`, `${made}\n`]) expect(readStopToken(text), text).toBeUndefined()
  const swapped = { addressId: route.destinationKey, destinationKey: route.addressId }
  expect(stopToken(swapped).slice(44)).not.toBe(made.slice(44))
})
