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
