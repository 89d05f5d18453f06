import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { PATIENCE } from '#test/support/program/patience.ts'
import { newDatabase, runSql } from '#test/support/program/postgres.ts'
import { createChannel, type ListeningChannel } from './channel.ts'
import { defaults } from './testing.ts'

let url: string
let drop: () => Promise<void>
const opened: ListeningChannel[] = []

beforeAll(async () => {
  ;({ url, drop } = await newDatabase(inject('postgres')))
})

afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()))
  await drop()
})

async function open() {
  const trouble = vi.fn()
  const channel = createChannel({ ...defaults, url }, trouble)
  await channel.open()
  opened.push(channel)
  const items: string[] = []
  const gap = vi.fn()
  channel.onItems('inbox', (given) => items.push(...given))
  channel.onGap(gap)
  return { channel, items, gap, trouble }
}

/** Terminates the connections of all channels on the database. */
const breakAll = (): Promise<unknown> =>
  runSql(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'mayfly %'`,
  )

test('delivers each item once, by topic, to all processes but the sender', async () => {
  const [one, two, three] = [await open(), await open(), await open()]
  const other: string[] = []
  two.channel.onItems('other', (given) => other.push(...given))
  // More than fits into one notification, with the last item twice.
  const sent = Array.from({ length: 2000 }, (_, i) => `item-${String(i).padStart(20, '0')}`)
  for (const item of [...sent, sent.at(-1)!]) one.channel.send('inbox', item)
  two.channel.send('other', 'elsewhere')
  three.channel.send('other', 'here')
  await vi.waitFor(() => {
    expect(two.items.toSorted()).toEqual(sent)
    expect(three.items.toSorted()).toEqual(sent)
    expect(other).toEqual(['here'])
  }, PATIENCE)
  expect(one.items).toEqual([])
})

test('reopens a broken connection, reports the gap on both sides, and delivers the items of the gap', async () => {
  const [one, two] = [await open(), await open()]
  await breakAll()
  one.channel.send('inbox', 'meanwhile')
  await vi.waitFor(() => {
    expect(one.gap).toHaveBeenCalled()
    expect(two.gap).toHaveBeenCalled()
  }, PATIENCE)
  one.channel.send('inbox', 'after')
  await vi.waitFor(() => expect(two.items).toContain('after'), PATIENCE)
  // The item arrives or the gap is reported: either way the listener is notified.
  expect(two.trouble).not.toHaveBeenCalled()
})

test('keeps a closed channel closed', async () => {
  const one = await open()
  await one.channel.close()
  one.channel.send('inbox', 'nobody hears')
  const two = await open()
  two.channel.send('inbox', 'still')
  expect(one.items).toEqual([])
})
