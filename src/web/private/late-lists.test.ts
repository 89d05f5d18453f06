import { expect, test } from 'vitest'
import type { SealedMessageJson, SealedMessageListJson } from '#contract/private-addresses.ts'
import { fromUtf8, toBase64Url } from '#mail/bytes.ts'
import { messagePlace } from '#mail/sealing/place.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { emptyInbox, inboxReducer } from '../hooks/inbox-state.ts'
import { deriveKeys, newSecret } from './keys.ts'
import { createPrivateInbox } from './private-inbox.ts'

const seal = createSeal()
const { keys } = await deriveKeys(newSecret())
const SUMMARY = { subject: 'Code', from: { name: '', address: 'a@sender.example' }, attachments: [] }
const at = new Date(0).toISOString()

/** A message as it was when the list was made, or with these changes. */
function listed(id: string, { seen = false, dmarc = 'pending' } = {}): SealedMessageJson {
  const text = JSON.stringify({ ...SUMMARY, authentication: { spf: dmarc, dkim: dmarc, dmarc } })
  const box = seal(keys.publicKey, messagePlace('summary', { addressId: 'address', id }), fromUtf8(text))
  return { id, receivedAt: at, expiresAt: at, size: 1, seen, summary: toBase64Url(box) }
}

/** An inbox and the lists that it waits for. */
function inboxWithLists() {
  let state = emptyInbox
  const deliver: ((list: SealedMessageListJson) => void)[] = []
  const never = (): never => {
    throw new Error('Not expected')
  }
  const inbox = createPrivateInbox({
    id: 'address',
    keys,
    reader: { run: never, close() {} },
    api: {
      messages: () => new Promise((resolve) => deliver.push(resolve)),
      body: never,
      deliveries: never,
      keepSummary: never,
      changes: () => ({ mark: never, removeAll: never }),
    },
    dispatch: (event) => (state = inboxReducer(state, event)),
    serverNow: () => 0,
    wait: never,
    onProblem() {},
    onOpening() {},
  })
  const load = async (list: SealedMessageListJson, meanwhile: () => unknown): Promise<void> => {
    const loading = inbox.load()
    await meanwhile()
    deliver.pop()!(list)
    await loading
  }
  const rows = () => state.messages.map(({ id, seen, authentication }) => [id, seen, authentication.dmarc])
  return { inbox, load, rows }
}

test('a late list does not undo what the stream reported', async () => {
  const { inbox, load, rows } = inboxWithLists()
  await load({ messages: [listed('2'), listed('1')], next: null }, async () => {
    inbox.forget('1')
    await inbox.take(listed('2', { seen: true, dmarc: 'pass' }))
  })
  expect(rows()).toEqual([['2', true, 'pass']])
})

test('a late older batch shows the last version of a message that was not loaded before', async () => {
  const { inbox, load, rows } = inboxWithLists()
  await load({ messages: [listed('3')], next: '3' }, () => {})
  await load({ messages: [listed('2'), listed('1')], next: null }, async () => {
    await inbox.take(listed('2', { seen: true, dmarc: 'pass' }))
    expect(rows()).toEqual([['3', false, 'pending']])
  })
  expect(rows()).toEqual([
    ['3', false, 'pending'],
    ['2', true, 'pass'],
    ['1', false, 'pending'],
  ])
})
