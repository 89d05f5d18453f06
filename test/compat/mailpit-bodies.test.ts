import { MailpitClient } from 'mailpit-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

let program: Program
beforeAll(async () => {
  program = await startProgram({ env: { MAYFLY_COMPAT: 'mailpit' } })
})
afterAll(() => program.stop())

test('names in a body may have any case, and the last of two counts', async () => {
  const base = `${program.url}/compat/mailpit`
  const { address, secret } = await createAddress(program.url)
  const client = new MailpitClient(base, { auth: { username: address, password: secret } })
  for (const subject of ['One', 'Two', 'Three']) await sendMail(program.smtpPort, { to: address, subject, text: 'x' })
  const { messages } = await client.waitForMessages({ count: 3 }, { timeout: PATIENCE })
  const [three, two, one] = messages.map(({ ID }) => ID)

  const call = async (method: string, body: object): Promise<number> => {
    const headers = { authorization: `Basic ${btoa(`${address}:${secret}`)}` }
    return (await fetch(`${base}/api/v1/messages`, { method, headers, body: JSON.stringify(body) })).status
  }
  const find = async (query: string): Promise<string[]> =>
    (await client.searchMessages({ query })).messages.map(({ Subject }) => Subject)

  expect(await call('PUT', { read: true, ids: [one] })).toBe(200)
  expect(await find('is:read')).toEqual(['One'])
  expect(await call('PUT', { READ: true, search: 'subject:Two' })).toBe(200)
  expect(await find('is:unread')).toEqual(['Three'])
  expect(await call('DELETE', { ids: [one], Ids: [two] })).toBe(200)
  expect(await find('smaller:9mb')).toEqual(['Three', 'One'])
  for (const wrong of [[three], { ids: three }]) expect(await call('DELETE', wrong)).toBe(400)
  expect(await find('smaller:9mb')).toEqual(['Three', 'One'])
})
