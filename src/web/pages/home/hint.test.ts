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
  ['an address with free storage', { address: address(799), ended: false, problem: null }, undefined],
  ['a nearly full address', { address: address(800), ended: false, problem: null }, 'storage'],
  ['a full address', { address: address(1000), ended: false, problem: null }, 'storage'],
  ['an expired address', { address: null, ended: true, problem: null }, 'ended'],
  [
    'a visitor over the limit for new addresses',
    { address: null, ended: false, problem: { code: 'too_many_requests' as const } },
    'addresses',
  ],
  ['another problem', { address: null, ended: false, problem: { code: 'internal' as const } }, undefined],
])('%s', (_, inbox, kind) => expect(hintOf(inbox)?.kind).toBe(kind))
