import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SiteClient, siteClient, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const SIGN_IN = '/api/v1/account/sign-in'
const SESSION = '/api/v1/account/session'
const EMAIL = 'ann@example.com'

let program: Program
beforeAll(async () => {
  program = await startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_SIGN_IN_LINKS_MAX: '3' } })
})
afterAll(() => program.stop())

async function askedBy(client: SiteClient, path: string, body: object): Promise<string> {
  await client.send('POST', path, body)
  return (await outboxOf(program).next(EMAIL, 'sign-in')).link.searchParams.get('link')!
}

test('a browser whose session was ended gets links after strangers on its network used up theirs', async () => {
  await subscribeIn(program, EMAIL)
  const [client, other] = [siteClient(program), siteClient(program)]
  for (const each of [client, other]) {
    const token = await askedBy(each, SIGN_IN, { email: EMAIL })
    expect((await each.send('POST', SESSION, { token })).status).toBe(204)
  }
  const { sessions }: any = await other.json('/api/v1/account')
  const { id } = sessions.find(({ current }: { current: boolean }) => !current)
  expect((await other.send('DELETE', `/api/v1/account/sessions/${id}`)).status).toBe(204)
  expect((await client.send('GET', '/api/v1/account')).status).toBe(401)
  await askedBy(siteClient(program), SIGN_IN, { email: EMAIL })
  // The link of this one is refused.
  await siteClient(program).send('POST', SIGN_IN, { email: EMAIL })
  // The form without scripts is the same as the call.
  const form = new URLSearchParams({ email: EMAIL, path: '/en/account' })
  for (const [path, body] of [
    [SIGN_IN, { email: EMAIL }],
    ['/actions/sign-in', form],
  ] as const) {
    const token = await askedBy(client, path, body)
    expect((await client.send('POST', SESSION, { token })).status).toBe(204)
    expect((await client.send('GET', '/api/v1/account')).status).toBe(200)
  }
  expect(await outboxOf(program).all()).toHaveLength(5)
})
