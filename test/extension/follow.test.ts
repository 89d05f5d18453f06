import { expect, test } from 'vitest'
import type { InboxEvent, MessageSummary } from '#client/index.ts'
import { follow } from '../../packages/extension/src/popup/follow.ts'

const message = (id: string): MessageSummary => ({ id }) as MessageSummary
const ADDRESS = { type: 'address' } as InboxEvent
const NEWER: InboxEvent = { type: 'message', message: message('c') }

test('a message that arrives between the list and the begin of the stream is listed', async () => {
  const stored = [message('a')]
  const seen: unknown[] = []
  const inbox = {
    messages: async () => ({ messages: [...stored], next: null }),
    async *events() {
      stored.unshift(message('b'))
      yield ADDRESS
      yield NEWER
      yield ADDRESS
    },
  }
  await follow(inbox, new AbortController().signal, {
    listed: (messages) => seen.push(messages.map(({ id }) => id)),
    happened: (event) => seen.push(event),
  })
  expect(seen).toEqual([['a'], ['b', 'a'], ADDRESS, NEWER, ADDRESS])
})

test('a second list that fails does not end the stream, and is read again later', async () => {
  const seen: unknown[] = []
  let reads = 0
  const inbox = {
    async messages() {
      if (++reads === 2) throw new Error('unavailable')
      return { messages: [message('a')], next: null }
    },
    async *events() {
      yield ADDRESS
      yield NEWER
      yield ADDRESS
      yield ADDRESS
    },
  }
  await follow(inbox, new AbortController().signal, {
    listed: (messages) => seen.push(messages.map(({ id }) => id)),
    happened: (event) => seen.push(event),
  })
  expect(seen).toEqual([['a'], ADDRESS, NEWER, ['a'], ADDRESS, ADDRESS])
})

test('a first list that fails ends the stream', async () => {
  const events = (async function* () {
    yield ADDRESS
  })()
  const inbox = { messages: () => Promise.reject(new Error('unavailable')), events: () => events }
  const ignored = { listed: () => {}, happened: () => {} }
  await expect(follow(inbox, new AbortController().signal, ignored)).rejects.toThrow('unavailable')
  expect(await events.next()).toEqual({ done: true, value: undefined })
})
