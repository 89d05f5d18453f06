import { expect, test } from 'vitest'
import type { ListedMessage, OpenAddress } from '#features/mailbox/index.ts'
import { codeOf } from '#test/support/codes.ts'
import { createMailSearch } from './find.ts'

const open = {} as OpenAddress
const TEXT_MS = 300

/** A mailbox of 600 messages without the text that is searched. Its clock moves only when a body is read. */
function mailbox(found = (_id: string): boolean => false) {
  const state = { now: 0, bodies: 0 }
  const ids = Array.from({ length: 600 }, (_, i) => `id-${1599 - i}`)
  const listed = (id: string): ListedMessage =>
    ({
      id,
      summary: async () => ({
        id,
        subject: id,
        from: { name: '', address: '' },
        to: '',
        recipients: [],
        attachments: [],
      }),
    }) as unknown as ListedMessage
  const search = (query: string, signal = new AbortController().signal) =>
    createMailSearch(
      {
        newest: async (_, limit, before) =>
          ids
            .filter((id) => !before || id < before)
            .slice(0, limit)
            .map(listed),
        async contains(_, id, wanted) {
          state.bodies++
          state.now += TEXT_MS
          return wanted.map(() => found(id))
        },
      },
      () => state.now,
    )(open, { query, signal })
  return { state, search, ids }
}

test('a search that takes too long is refused, however many messages it has to open', async () => {
  const { state, search } = mailbox()
  expect(await codeOf(search('nothing').find())).toBe('invalid_request')
  expect(state.bodies).toBe(Math.ceil(20_000 / TEXT_MS))
  expect(await codeOf(search('nothing').allIds())).toBe('invalid_request')
  expect(await codeOf(search('nothing').newest())).toBe('invalid_request')
})

test('a search ends when nobody waits for it any longer', async () => {
  const reader = new AbortController()
  const { state, search } = mailbox(() => (state.bodies === 3 && reader.abort(), false))
  expect(await codeOf(search('nothing', reader.signal).allIds())).toBe('invalid_request')
  expect(state.bodies).toBe(3)
})

test('the newest match is found without opening older messages', async () => {
  const { state, search, ids } = mailbox((id) => id === 'id-1598')
  expect((await search('text').newest())?.id).toBe('id-1598')
  expect(state.bodies).toBe(2)
  expect((await search('').newest())?.id).toBe(ids[0])
  expect((await search('subject:id-1200').newest())?.id).toBe('id-1200')
  expect(await search('subject:id').allIds()).toEqual(ids)
})
