import { expect, test } from 'vitest'
import { listedAttachments, type MessageData } from './message-data.ts'

const attachments = ['invite.ics', 'invite.ics', 'invite.ics'].map((filename, index) => {
  return { index, filename, size: 812, contentType: 'text/calendar' }
})
const listed = (calendar: { attachment: number; copies: number[] } | null): number[] =>
  listedAttachments({ calendar: calendar as MessageData['calendar'], attachments }).map(({ index }) => index)

test('lists an invitation once if the sender attached it twice, and every other one', () => {
  expect(listed({ attachment: 0, copies: [1] })).toEqual([0, 2])
  expect(listed({ attachment: 0, copies: [] })).toEqual([0, 1, 2])
  expect(listed(null)).toEqual([0, 1, 2])
})
