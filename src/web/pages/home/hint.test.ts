import { expect, test } from 'vitest'
import { hintOf } from './hint.ts'

const address = (usedBytes: number) => ({
  address: 'a@mayfly.test',
  expiresAt: '2026-01-02T00:00:00Z',
  createdAt: '2026-01-01T00:00:00Z',
  lifetime: 'day' as const,
  storage: { usedBytes, limitBytes: 1000 },
})

test.each([
  ['an address with room', { address: address(799), ended: false, problem: null }, undefined],
  ['one that is nearly full', { address: address(800), ended: false, problem: null }, 'storage'],
  ['one that is full', { address: address(1000), ended: false, problem: null }, 'storage'],
  ['one that has ended', { address: null, ended: true, problem: null }, 'ended'],
  [
    'none, for there were too many',
    { address: null, ended: false, problem: { code: 'too_many_requests' as const } },
    'addresses',
  ],
  ['another problem', { address: null, ended: false, problem: { code: 'internal' as const } }, undefined],
])('%s', (_, inbox, kind) => expect(hintOf(inbox)?.kind).toBe(kind))
