import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { type SiteClient, siteClient, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

const SIGN_IN = '/api/v1/account/sign-in'
const SESSION = '/api/v1/account/session'
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const statusOf = async (client: SiteClient) => (await client.send('GET', '/api/v1/account')).status

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

let subscribers = 0
async function subscriber(): Promise<string> {
  const email = `subscriber${++subscribers}@example.com`
  await subscribeIn(program, email)
  return email
}
async function askedBy(client: SiteClient, email: string): Promise<string> {
  expect((await client.send('POST', SIGN_IN, { email })).status).toBe(202)
  return (await outboxOf(program).next(email, 'sign-in')).link.searchParams.get('link')!
}

test('the link alone signs nobody in, whatever a script sends', async () => {
  const asking = siteClient(program)
  const token = await askedBy(asking, await subscriber())
  const thief = siteClient(program)
  expect(await answerOf(thief.send('POST', SESSION, { token }))).toEqual([409, 'sign_in_unconfirmed'])
  // The code that the thief sees works only in the browser that requested the link.
  thief.cookies.set('mayfly_link', `link.${token}`)
  const { data }: any = await thief.json('/en/account/_payload.json')
  expect(data.link).toEqual({ state: 'elsewhere', code: expect.stringMatching(/^\d{9}$/) })
  expect(await answerOf(thief.send('POST', SESSION, { code: data.link.code }))).toEqual([422, 'sign_in_code_invalid'])
  for (const body of [{ token, confirmed: true }, { token, code: data.link.code }, {}])
    expect(await answerOf(thief.send('POST', SESSION, body))).toEqual([400, 'invalid_request'])
  for (const [action, fields] of [
    ['sign-in-link', { token, confirmed: 'true' }],
    ['sign-in-code', { code: data.link.code }],
  ] as const)
    expect((await thief.send('POST', `/actions/${action}`, form(fields))).headers.get('location')).toContain('error=')
  // A new request of the thief does not change that.
  await thief.send('POST', SIGN_IN, { email: 'thief@example.com' })
  expect(await answerOf(thief.send('POST', SESSION, { token }))).toEqual([409, 'sign_in_unconfirmed'])
  expect([await statusOf(thief), thief.cookies.has('mayfly_account')]).toEqual([401, false])
  expect((await asking.send('POST', SESSION, { code: data.link.code })).status).toBe(204)
  expect(await statusOf(asking)).toBe(200)
})

test('the response does not wait for the work for an existing subscription', async () => {
  const email = await subscriber()
  const client = siteClient(program)
  const database = new DatabaseSync(join(program.dataDir, 'mayfly.db'))
  // From here on the service can't write.
  database.exec('begin immediate')
  try {
    const ask = async (to: string) => {
      const answer = await client.send('POST', SIGN_IN, { email: to })
      return [answer.status, await answer.text()]
    }
    expect(await ask(email)).toEqual(await ask('nobody@example.com'))
  } finally {
    database.exec('rollback')
    database.close()
  }
  expect(await outboxOf(program).next(email, 'sign-in')).toBeDefined()
})

test('a form accepts the code, and reports errors', async () => {
  const email = await subscriber()
  const client = siteClient(program)
  await client.send('POST', '/actions/sign-in', form({ email, lang: 'de' }))
  const { text = '' } = await outboxOf(program).next(email)
  const wrong = await client.send('POST', '/actions/sign-in-code', form({ code: '1', lang: 'de' }))
  expect(wrong.headers.get('location')).toBe('/de/account?error=sign_in_code_invalid')
  expect(await (await client.send('GET', wrong.headers.get('location')!)).text()).toContain('Dieser Code ist falsch')
  const code = /\d{3} \d{3} \d{3}/.exec(text)![0]
  const opened = await client.send('POST', '/actions/sign-in-code', form({ code, lang: 'de' }))
  expect([opened.status, opened.headers.get('location')]).toEqual([303, '/de/account'])
  expect(await statusOf(client)).toBe(200)
})

test('five wrong codes void the link; only the browser that requested it can use them up', async () => {
  const email = await subscriber()
  const client = siteClient(program)
  const token = await askedBy(client, email)
  const stranger = siteClient(program)
  await stranger.send('POST', SIGN_IN, { email: 'stranger@example.com' })
  for (let i = 0; i < 6; i++)
    expect(await answerOf(stranger.send('POST', SESSION, { code: '000000000' }))).toEqual([422, 'sign_in_code_invalid'])
  for (let i = 0; i < 6; i++)
    // A random code of nine digits would be right once in a thousand million attempts.
    expect(await answerOf(client.send('POST', SESSION, { code: 'no code' }))).toEqual([422, 'sign_in_code_invalid'])
  expect(await answerOf(client.send('POST', SESSION, { token }))).toEqual([410, 'sign_in_link_invalid'])
  const again = await askedBy(client, email)
  expect((await client.send('POST', SESSION, { token: again })).status).toBe(204)
})
