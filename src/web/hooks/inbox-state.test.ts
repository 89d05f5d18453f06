import { describe, expect, test } from 'vitest'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { emptyInbox, inboxReducer, type InboxEvent, type InboxState, isGone, unreadCount } from './inbox-state.ts'

const message = (id: string, fields = {}): MessageSummaryJson =>
  ({ id, subject: id, seen: false, ...fields }) as unknown as MessageSummaryJson
const after = (events: InboxEvent[], state: InboxState = emptyInbox): InboxState => events.reduce(inboxReducer, state)
const ids = ({ messages }: InboxState): string[] => messages.map(({ id }) => id)
const came = (id: string, fields = {}): InboxEvent => ({ type: 'message', message: message(id, fields) })

describe('the inbox', () => {
  test('keeps the newest first in whatever order they come', () =>
    expect(ids(after([came('b'), came('d'), came('a'), came('c')]))).toEqual(['d', 'c', 'b', 'a']))

  test('takes the same mail twice as one, and the later word of it', () => {
    const state = after([came('a'), came('b'), came('a', { seen: true })])
    expect(ids(state)).toEqual(['b', 'a'])
    expect(unreadCount(state)).toBe(1)
  })

  test('announces a mail when it comes, not when it changes', () => {
    const state = after([came('a'), came('b')])
    expect(state.arrived?.id).toBe('b')
    expect(after([came('a', { seen: true })], state).arrived?.id).toBe('b')
  })

  test('forgets what is deleted, also twice', () =>
    expect(ids(after([came('a'), came('b'), { type: 'deleted', id: 'a' }, { type: 'deleted', id: 'a' }]))).toEqual([
      'b',
    ]))

  test('knows that what is being read is gone, by itself or with its address', () => {
    const deleted = after([came('a'), came('b'), { type: 'deleted', id: 'a' }])
    expect(['a', 'b'].map((id) => isGone(deleted, id))).toEqual([true, false])
    expect(isGone(after([{ type: 'ended' }], deleted), 'b')).toBe(true)
    // Also a mail that is on a page which is not loaded.
    expect(isGone(after([{ type: 'deleted', id: 'old' }]), 'old')).toBe(true)
  })

  test('is what a new payload says, and keeps whether it listens', () => {
    const state = after([came('a'), { type: 'status', status: 'live' }])
    const next = after([{ type: 'reset', state: { messages: [message('z')], revision: 9, next: 'z' } }], state)
    expect([ids(next), next.revision, next.next, next.status]).toEqual([['z'], 9, 'z', 'live'])
  })

  test('leaves changes on a page that is not loaded to that page', () => {
    const state = { ...emptyInbox, messages: [message('m')], next: 'm' }
    expect(ids(after([came('a', { seen: true })], state))).toEqual(['m'])
    expect(ids(after([came('z')], state))).toEqual(['z', 'm'])
  })

  test('adds older pages behind, without doubling', () => {
    const page = { messages: [message('c'), message('b'), message('a')], next: null }
    const state = after([{ type: 'older', page }], { ...emptyInbox, messages: [message('d'), message('c')], next: 'c' })
    expect([ids(state), state.next]).toEqual([['d', 'c', 'b', 'a'], null])
  })

  test('is empty when the address has ended, and for a new one from its beginning', () => {
    const address = { address: 'a@mayfly.test', expiresAt: '2026-01-01T00:00:00Z', lifetime: 'day' as const }
    const full = after([came('a')], { ...emptyInbox, address, revision: 7, status: 'live' })
    expect(after([{ type: 'ended' }], full)).toEqual({ ...emptyInbox, ended: true, status: 'off' })
    expect(after([{ type: 'created', address }], full)).toEqual({ ...emptyInbox, address, revision: 0 })
  })
})
