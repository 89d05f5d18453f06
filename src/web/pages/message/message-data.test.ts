import { expect, test } from 'vitest'
import { listedAttachments, type MessageData } from './message-data.ts'

const listed = (files: [string, number][], invitation: number | null): number[] => {
  const attachments = files.map(([filename, size], index) => ({ index, filename, size, contentType: 'text/calendar' }))
  const calendar = { attachment: invitation } as MessageData['calendar']
  return listedAttachments({ calendar, attachments }).map(({ index }) => index)
}

test('lists an invitation once if the sender attached it twice', () => {
  const twice: [string, number][] = [
    ['invite.ics', 812],
    ['invite.ics', 814],
    ['agenda.pdf', 812],
  ]
  expect(listed(twice, 0)).toEqual([0, 2])
  expect(listed(twice, 1)).toEqual([1, 2])
})

test('lists other invitations, and everything of a message without an invitation', () => {
  const different: [string, number][] = [
    ['monday.ics', 812],
    ['friday.ics', 812],
    ['monday.ics', 1020],
  ]
  expect(listed(different, 0)).toEqual([0, 1, 2])
  expect(listed([...different, ['monday.ics', 812]], null)).toEqual([0, 1, 2, 3])
})
