import { describe, expect, test } from 'vitest'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { emptyInbox, inboxReducer, type InboxEvent, type InboxState, isGone, unreadCount } from './inbox-state.ts'

const message = (id: string, fields = {}): MessageSummaryJson =>
  ({ id, subject: id, seen: false, ...fields }) as unknown as MessageSummaryJson
const after = (events: InboxEvent[], state: InboxState = emptyInbox): InboxState => events.reduce(inboxReducer, state)
const ids = ({ messages }: InboxState): string[] => messages.map(({ id }) => id)
const received = (id: string, fields = {}): InboxEvent => ({ type: 'message', message: message(id, fields) })

describe('the inbox', () => {
  test('keeps the newest message first, whatever the order of arrival', () =>
    expect(ids(after([received('b'), received('d'), received('a'), received('c')]))).toEqual(['d', 'c', 'b', 'a']))

  test('replaces a message by its later version', () => {
    const state = after([received('a'), received('b'), received('a', { seen: true })])
    expect(ids(state)).toEqual(['b', 'a'])
    expect(unreadCount(state)).toBe(1)
  })

  test('announces a message when it arrives, not when it changes', () => {
    const state = after([received('a'), received('b')])
    expect(state.arrived?.id).toBe('b')
    expect(after([received('a', { seen: true })], state).arrived?.id).toBe('b')
  })

  test('does not announce a message that was read before it is known here', () =>
    expect(after([received('a', { seen: true })]).arrived).toBeNull())

  test('removes a deleted message, also if the event is repeated', () =>
    expect(
      ids(after([received('a'), received('b'), { type: 'deleted', id: 'a' }, { type: 'deleted', id: 'a' }])),
    ).toEqual(['b']))

  test('reports an open message as gone if it or its address was deleted', () => {
    const deleted = after([received('a'), received('b'), { type: 'deleted', id: 'a' }])
    expect(['a', 'b'].map((id) => isGone(deleted, id))).toEqual([true, false])
    expect(isGone(after([{ type: 'ended' }], deleted), 'b')).toBe(true)
    // Also a message that is not in a loaded batch.
    expect(isGone(after([{ type: 'deleted', id: 'old' }]), 'old')).toBe(true)
  })

  test('takes the messages of a new payload and keeps the status of the stream', () => {
    const state = after([received('a'), { type: 'status', status: 'live' }])
    const next = after([{ type: 'reset', state: { messages: [message('z')], revision: 9, next: 'z' } }], state)
    expect([ids(next), next.revision, next.next, next.status]).toEqual([['z'], 9, 'z', 'live'])
  })

  test('announces what arrived only with the address that it was for', () => {
    const of = (address: string) => ({ address, expiresAt: '', lifetime: 'day' }) as const
    const state = after([received('a')], { ...emptyInbox, address: of('a@mayfly.test') })
    const reset = (address: string) => after([{ type: 'reset', state: { address: of(address), messages: [] } }], state)
    expect([reset('a@mayfly.test').arrived?.id, reset('b@mayfly.test').arrived]).toEqual(['a', null])
  })

  test('stays live while another stream takes over', () => {
    const status = (...all: InboxState['status'][]) =>
      after(all.map((each): InboxEvent => ({ type: 'status', status: each }))).status
    expect([status('live', 'connecting'), status('lost', 'connecting')]).toEqual(['live', 'connecting'])
  })

  test('ignores changes of messages that are not loaded yet', () => {
    const state = { ...emptyInbox, messages: [message('m')], next: 'm' }
    expect(ids(after([received('a', { seen: true })], state))).toEqual(['m'])
    expect(ids(after([received('z')], state))).toEqual(['z', 'm'])
  })

  test('appends older batches without duplicates', () => {
    const page = { messages: [message('c'), message('b'), message('a')], next: null }
    const state = after([{ type: 'older', page }], { ...emptyInbox, messages: [message('d'), message('c')], next: 'c' })
    expect([ids(state), state.next]).toEqual([['d', 'c', 'b', 'a'], null])
  })

  test('does not show deleted messages of an older batch that was on its way', () => {
    const page = { messages: [message('c'), message('b')], next: null }
    const state = after(
      [
        { type: 'deleted', id: 'c' },
        { type: 'older', page },
      ],
      { ...emptyInbox, next: 'd' },
    )
    expect(ids(state)).toEqual(['b'])
  })

  test('does not append an older batch to another list than the one that it was asked for', () => {
    const page = { messages: [message('c'), message('b')], next: 'b' }
    const reset: InboxEvent = { type: 'reset', state: { messages: [message('g'), message('f')], next: 'f' } }
    const state = after([reset, { type: 'older', before: 'd', page }], { ...emptyInbox, next: 'd' })
    expect([ids(state), state.next]).toEqual([['g', 'f'], 'f'])
    const both = after([{ type: 'older', before: 'f', page: { messages: [message('e')], next: null } }], state)
    expect([ids(both), both.next]).toEqual([['g', 'f', 'e'], null])
    expect(ids(after([{ type: 'older', before: 'd', page }]))).toEqual([])
  })

  test('is empty after the address is deleted and for a new address', () => {
    const address = { address: 'a@mayfly.test', expiresAt: '2026-01-01T00:00:00Z', lifetime: 'day' as const }
    const full = after([received('a')], { ...emptyInbox, address, revision: 7, status: 'live' })
    expect(after([{ type: 'ended' }], full)).toEqual({ ...emptyInbox, ended: true, status: 'off' })
    expect(after([{ type: 'created', address }], full)).toEqual({ ...emptyInbox, address, revision: 0 })
  })
})
