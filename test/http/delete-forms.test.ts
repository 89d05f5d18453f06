import { beforeAll, expect, test } from 'vitest'
import { keep, subscriber } from '#test/support/fixtures/kept-client.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { USER_AGENT } from '#test/support/program/browser.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

const MESSAGES = '/api/v1/messages'
let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

async function post(client: { secret: string }, action: string, fields: Record<string, string>) {
  const answer = await fetch(`${program.url}/actions/${action}`, {
    method: 'POST',
    body: new URLSearchParams({ lang: 'de', ...fields }),
    headers: { origin: program.url, cookie: `mayfly_secret=${client.secret}`, 'user-agent': USER_AGENT },
    redirect: 'manual',
  })
  return [answer.status, answer.headers.get('location')]
}

test('a delete form without JavaScript asks first, and acts after the confirmation', async () => {
  const client = await createAddress(program.url)
  await sendMail(program.smtpPort, { to: client.address, subject: 'to go', text: 'to go' })
  await expect.poll(async () => (await client.json(MESSAGES)).messages).toHaveLength(1)
  const [{ id }] = (await client.json(MESSAGES)).messages
  expect(await post(client, 'delete-message', { id })).toEqual([303, `/de?message=${id}&ask=delete`])
  expect(await post(client, 'delete', { path: '/10-minute-mail' })).toEqual([303, '/de/10-minute-mail?ask=delete'])
  expect(await post(client, 'delete', { path: '//evil.example' })).toEqual([303, '/de?ask=delete'])
  expect((await client.json(MESSAGES)).messages).toHaveLength(1)
  expect(await post(client, 'delete-message', { id, confirmed: 'yes' })).toEqual([303, '/de'])
  expect((await client.json(MESSAGES)).messages).toEqual([])
  expect(await post(client, 'delete', { confirmed: 'yes' })).toEqual([303, '/de'])
  expect((await client.get(MESSAGES)).status).toBe(401)
})

test('a form that deletes an unknown message reports it', async () => {
  const client = await createAddress(program.url)
  for (const more of [{}, { confirmed: 'yes' }])
    expect(await post(client, 'delete-message', { id: 'x', ...more })).toEqual([303, '/de?error=message_not_found'])
})

test('a form of the account that revokes old links asks first, and acts after the confirmation', async () => {
  const { client } = await subscriber(program)
  const { id } = await keep(client)
  const isOpened = async (secret: string): Promise<boolean> =>
    (await fetch(`${program.url}/api/v1/address`, { headers: { authorization: `Bearer ${secret}` } })).ok
  const { secret } = await (await client.send('POST', `/api/v1/account/addresses/${id}/reveal`)).json()
  const replace = async (fields: Record<string, string>) => {
    const answer = await fetch(`${program.url}/actions/replace-kept-secret`, {
      method: 'POST',
      body: new URLSearchParams({ lang: 'de', ...fields }),
      headers: {
        origin: program.url,
        cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'user-agent': USER_AGENT,
      },
      redirect: 'manual',
    })
    return [answer.status, answer.headers.get('location')]
  }
  expect(await replace({ id })).toEqual([303, `/de/account?address=${id}&ask=replace`])
  expect(await isOpened(secret)).toBe(true)
  for (const more of [{}, { confirmed: 'yes' }])
    expect(await replace({ id: 'x', ...more })).toEqual([303, '/de/account?error=not_found'])
  expect(await replace({ id, confirmed: 'yes' })).toEqual([303, '/de/account?replaced=1'])
  expect(await isOpened(secret)).toBe(false)
  await client.send('DELETE', '/api/v1/account/session')
  expect(await replace({ id })).toEqual([303, '/de/account?error=not_signed_in'])
})
