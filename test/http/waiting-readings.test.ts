import { beforeAll, expect, test } from 'vitest'
import { current, keep, subscriber } from '#test/support/fixtures/kept-client.ts'
import { type SiteClient, siteClient } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

/** Two are opened at a time, and ten wait. */
const AT_ONCE = 12
/** Each takes long enough to open that the last ones still wait when the access ends. */
const COSTLY = '<'.repeat(400_000).replaceAll(/.{900}/g, '$&\n')

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

async function costlyMessages(client: SiteClient): Promise<string[]> {
  const { address } = await current(client)
  await Promise.all(
    Array.from({ length: AT_ONCE }, () => sendMail(program.smtpPort, { to: address, subject: 'costly', html: COSTLY })),
  )
  const list = async (): Promise<{ id: string }[]> => (await client.json('/api/v1/messages')).messages
  await expect.poll(async () => (await list()).length).toBe(AT_ONCE)
  return (await list()).map(({ id }) => id)
}

const WAYS: [string, (id: string) => string][] = [
  ['a call', (id) => `/api/v1/messages/${id}`],
  ['a frame', (id) => `/frame/message?id=${id}`],
  ['a page', (id) => `/en?message=${id}`],
]

/**
 * Requests all of them and ends the access after the first response. Returns the statuses in the order of the
 * responses.
 */
async function opened(client: SiteClient, paths: string[], end: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = []
  const requests = paths.map(async (path) => {
    const { status } = await client.send('GET', path)
    statuses.push(status)
  })
  await Promise.race(requests)
  expect((await end()).ok).toBe(true)
  await Promise.all(requests)
  return statuses
}

test.each(WAYS)('%s that waits for its message gets none after the secret is replaced', async (_what, path) => {
  const client = siteClient(program)
  await client.send('POST', '/api/v1/addresses')
  const paths = (await costlyMessages(client)).map(path)
  const statuses = await opened(client, paths, () => client.send('POST', '/api/v1/address/secret'))
  expect(statuses[0]).toBe(200)
  expect(statuses.slice(-5)).toEqual([401, 401, 401, 401, 401])
})

test.each(WAYS)('%s that waits for its message gets none after the browser is signed out', async (_what, path) => {
  const { client } = await subscriber(program)
  const { id } = await keep(client)
  await client.send('POST', `/api/v1/account/addresses/${id}/open`)
  const paths = (await costlyMessages(client)).map(path)
  const statuses = await opened(client, paths, () => client.send('DELETE', '/api/v1/account/session'))
  expect(statuses[0]).toBe(200)
  expect(statuses.slice(-5)).toEqual([401, 401, 401, 401, 401])
})
