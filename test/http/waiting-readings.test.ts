import { beforeAll, expect, test } from 'vitest'
import { current, keep, subscriber } from '#test/support/fixtures/kept-client.ts'
import { type SiteClient, siteClient } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

/** One or two are read at a time. The others wait. */
const AT_ONCE = 12
/** Takes a fifth of a second to open, so that the last requests still wait when the access ends, which takes a few milliseconds. */
const COSTLY = '<'.repeat(50_000).replaceAll(/.{900}/g, '$&\n')

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

/** Sends a message to the address of the client, and returns its id. Each request reads it again. */
async function costlyMessage(client: SiteClient): Promise<string> {
  const { address } = await current(client)
  await sendMail(program.smtpPort, { to: address, subject: 'costly', html: COSTLY })
  const { messages } = await client.json('/api/v1/messages?wait=60')
  return messages[0].id
}

const WAYS: [string, (id: string) => string][] = [
  ['a call', (id) => `/api/v1/messages/${id}`],
  ['a frame', (id) => `/frame/message?id=${id}`],
  ['a page', (id) => `/en?message=${id}`],
]

/**
 * Requests the path many times at once and ends the access after the first response. Returns the statuses in the order of
 * the responses.
 */
async function opened(client: SiteClient, path: string, end: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = []
  const requests = Array.from({ length: AT_ONCE }, async () => {
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
  const wanted = path(await costlyMessage(client))
  const statuses = await opened(client, wanted, () => client.send('POST', '/api/v1/address/secret'))
  expect(statuses[0]).toBe(200)
  expect(statuses.slice(-5)).toEqual([401, 401, 401, 401, 401])
})

test.each(WAYS)('%s that waits for its message gets none after the browser is signed out', async (_what, path) => {
  const { client } = await subscriber(program)
  const { id } = await keep(client)
  await client.send('POST', `/api/v1/account/addresses/${id}/open`)
  const wanted = path(await costlyMessage(client))
  const statuses = await opened(client, wanted, () => client.send('DELETE', '/api/v1/account/session'))
  expect(statuses[0]).toBe(200)
  expect(statuses.slice(-5)).toEqual([401, 401, 401, 401, 401])
})
