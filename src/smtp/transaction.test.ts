import { expect, test } from 'vitest'
import type { RecipientRow } from '#core/mailbox/address.ts'
import type { AcceptedRecipient } from '#features/receiving/index.ts'
import { replies } from './replies.ts'
import { addRecipient, beginTransaction, copiesOf, type Transaction } from './transaction.ts'

const to = (recipient: string, id: string): AcceptedRecipient => ({
  recipient,
  maxBytes: 1000,
  row: { id } as unknown as RecipientRow,
})
const returnPath = (recipient: string, jobId: string): AcceptedRecipient => ({ recipient, maxBytes: 1000, jobId })

function transactionOf(size: number, ...accepted: AcceptedRecipient[]): Transaction {
  const parameters = new Map([['SIZE', String(size)]])
  const transaction = beginTransaction({ mailbox: '', literal: false, parameters }, { expectedSize: () => size }, 1000)
  for (const each of accepted) expect(addRecipient(transaction, each, 2000)).toBe(replies.recipientOk)
  return transaction
}
const namesIn = ({ recipients }: Transaction) => recipients.map(({ recipient }) => recipient)

test('all recipients of a mailbox are kept, for one copy', () => {
  const names = ['qa+alice@mayfly.test', 'qa+bob@mayfly.test', 'qa@mayfly.test']
  const transaction = transactionOf(1000, ...names.map((name) => to(name, 'qa')), to('other@mayfly.test', 'other'))
  expect(namesIn(transaction)).toEqual([...names, 'other@mayfly.test'])
  expect(copiesOf(transaction)).toBe(2)
  expect(addRecipient(transaction, to('third@mayfly.test', 'third'), 2000)).toBe(replies.tooManyCopies)
  expect(addRecipient(transaction, to('qa+carol@mayfly.test', 'qa'), 2000)).toBe(replies.recipientOk)
})

test('ten thousand recipients are added in a moment', () => {
  const started = performance.now()
  const all = Array.from({ length: 10_000 }, (_, i) => to(`reader-${i}@mayfly.test`, `id-${i}`))
  expect(copiesOf(transactionOf(0, ...all, ...all))).toBe(10_000)
  expect(performance.now() - started).toBeLessThan(5000)
})

test('a recipient that is named twice, and a return path of the same message, are kept once', () => {
  const transaction = transactionOf(
    0,
    to('qa+alice@mayfly.test', 'qa'),
    to('QA+Alice@mayfly.test', 'qa'),
    returnPath('srs0=a@mayfly.test', 'job'),
    returnPath('srs0=a@vip.mayfly.test', 'job'),
    returnPath('srs0=b@mayfly.test', 'other'),
  )
  expect(namesIn(transaction)).toEqual(['qa+alice@mayfly.test', 'srs0=a@mayfly.test', 'srs0=b@mayfly.test'])
  expect(copiesOf(transaction)).toBe(1)
})

test('a full operator mailbox has no other recipients beside it, which would not get the message', () => {
  const full = (recipient: string): AcceptedRecipient =>
    ({ ...to(recipient, 'operator'), isFull: true }) as AcceptedRecipient
  const transaction = transactionOf(100, full('abuse@mayfly.test'), full('postmaster@mayfly.test'))
  for (const other of [to('qa@mayfly.test', 'qa'), returnPath('srs0=a@mayfly.test', 'job')])
    expect(addRecipient(transaction, other, 2000)).toBe(replies.tooManyRecipients)
})

test('without a size, the operator mailbox has no other recipients beside it, because its room is known only after DATA', () => {
  const operator = { ...to('abuse@mayfly.test', 'operator'), operator: { share: 'abuse' } } as AcceptedRecipient
  for (const [first, second] of [
    [operator, to('qa@mayfly.test', 'qa')],
    [to('qa@mayfly.test', 'qa'), operator],
  ] as const) {
    expect(addRecipient(transactionOf(0, first), second, 2000)).toBe(replies.tooManyRecipients)
    expect(addRecipient(transactionOf(100, first), second, 2000)).toBe(replies.recipientOk)
  }
})
