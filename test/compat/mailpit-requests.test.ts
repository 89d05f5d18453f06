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

test('paging takes the default for what is no number above 0, and `before` a date', async () => {
  const base = `${program.url}/compat/mailpit`
  const { address, secret } = await createAddress(program.url)
  const client = new MailpitClient(base, { auth: { username: address, password: secret } })
  for (const subject of ['One', 'Two', 'Three']) await sendMail(program.smtpPort, { to: address, subject, text: 'x' })
  const { messages } = await client.waitForMessages({ count: 3 }, { timeout: PATIENCE })
  const listed = async (query: string): Promise<unknown> => {
    const headers = { authorization: `Basic ${btoa(`${address}:${secret}`)}` }
    const response = await fetch(`${base}/api/v1/${query}`, { headers })
    if (!response.ok) return response.status
    return ((await response.json()) as { messages: typeof messages }).messages.map(({ Subject }) => Subject)
  }

  const all = ['Three', 'Two', 'One']
  for (const page of ['limit=0', 'limit=-1', 'limit=', 'start=NaN', 'start=-1&limit=many', 'query=One&query=Two'])
    expect([page, await listed(`messages?${page}`)]).toEqual([page, all])
  const before = encodeURIComponent(messages[1]!.Created)
  expect(await listed(`messages?before=${before}`)).toEqual(['One'])
  expect(await listed(`search?query=subject:T&before=${before}`)).toEqual([])
  expect(await listed('search?query=*')).toEqual(all)
  expect(await listed('messages?before=foo%201')).toBe(400)
})
