import { expect, test } from 'vitest'
import type { MessageHead } from '#core/mailbox/message.ts'
import { headOf } from './recipients.ts'

const mailbox = (address: string) => ({ name: '', address })
const head: MessageHead = {
  messageId: '<1@shop.example>',
  to: [{ name: 'Alice', address: 'QA+alice@mayfly.test' }],
  cc: [],
  bcc: [],
  replyTo: [],
}

test('recipients whom no header names got a blind copy', () => {
  const recipients = ['qa+alice@mayfly.test', 'qa+bob@mayfly.test', 'qa+carol@mayfly.test']
  expect(headOf({ head, recipients })).toEqual({ ...head, bcc: recipients.slice(1).map(mailbox) })
  expect(headOf({ head, recipients: [] })).toEqual(head)
})

test('a message of an earlier version has only its recipients', () =>
  expect(headOf({ recipients: ['a@mayfly.test'] })).toEqual({ ...head, messageId: '', to: [mailbox('a@mayfly.test')] }))
