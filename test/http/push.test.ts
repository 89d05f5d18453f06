import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { type FakePushService, startPushService } from '#test/support/fakes/push-service.ts'
import { signedIn, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { call, createAddress } from '#test/support/program/api.ts'
import { type SharedProgram, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

const PUSH = '/api/v1/address/push'

let service: FakePushService
let program: SharedProgram
beforeAll(async () => {
  ;[service, program] = await Promise.all([startPushService(), sharedProgram()])
})
afterAll(async () => {
  await service.close()
})

test('browsers are added, listed and removed by the holder of the secret', async () => {
  const client = await createAddress(program.url)
  const { subscription, until } = service.browser()
  const added = await client.send('POST', PUSH, { ...subscription, expirationTime: null })
  expect(added.status).toBe(201)
  const made = (await added.json()) as { id: string }
  expect(made).toEqual({ id: expect.stringMatching(/^[\w-]{22}$/), createdAt: expect.stringMatching(/Z$/) })
  const listed = await client.json(PUSH)
  expect(listed).toEqual({ publicKey: expect.stringMatching(/^B[\w-]{86}$/), subscriptions: [made] })
  await sendMail(program.smtpPort, { to: client.address, subject: 'Hello', text: 'Hello' })
  expect((await until(1))[0]!.payload).toMatchObject({ count: 1 })
  expect((await client.send('DELETE', `${PUSH}/${made.id}`)).status).toBe(204)
  expect((await client.send('DELETE', `${PUSH}/${made.id}`)).status).toBe(204)
  expect((await client.json(PUSH)).subscriptions).toEqual([])
  const refused = await client.send('POST', PUSH, { ...subscription, endpoint: 'https://10.0.0.1/' })
  expect(await answerOf(refused)).toEqual([422, 'push_invalid'])
  expect((await call(program.url, 'GET', PUSH)).status).toBe(401)
  // The library that encrypts pushes uses a deprecated function, of which Node warns in plain text.
  expect(program.stderr.filter((line) => !line.startsWith('{"level":'))).toEqual([])
})

test('a browser that no longer has the address ends its subscription by the id', async () => {
  const client = await createAddress(program.url)
  const [gone, stays] = [service.browser(), service.browser()]
  const { id } = (await (await client.send('POST', PUSH, gone.subscription)).json()) as { id: string }
  await client.send('POST', PUSH, stays.subscription)
  expect((await call(program.url, 'DELETE', `/api/v1/push/${'A'.repeat(22)}`)).status).toBe(204)
  expect((await client.json(PUSH)).subscriptions).toHaveLength(2)
  expect((await call(program.url, 'DELETE', `/api/v1/push/${id}`)).status).toBe(204)
  await sendMail(program.smtpPort, { to: client.address, subject: 'Hello', text: 'Hello' })
  await stays.until(1)
  expect(gone.pushes()).toEqual([])
})

test('a request that is no visit does not extend the address', async () => {
  const turned = await startProgram({ env: WITHOUT_LIMITS, turnable: true })
  const client = await createAddress(turned.url)
  const { expiresAt } = await client.json('/api/v1/address')
  await turned.turn(2 * 3600 * 1000, { passes: true })
  const quiet = { authorization: `Bearer ${client.secret}`, 'x-visit': 'no' }
  expect((await fetch(`${turned.url}/api/v1/messages`, { headers: quiet })).status).toBe(200)
  const looked = await fetch(`${turned.url}/api/v1/address`, { headers: quiet })
  expect(await looked.json()).toMatchObject({ expiresAt })
  expect((await client.json('/api/v1/address')).expiresAt > expiresAt).toBe(true)
  await turned.stop()
})

test('a browser that is signed out is told of nothing more', async () => {
  await subscribeIn(program, 'ann@real.example')
  const ann = await signedIn(program, 'ann@real.example')
  const { id, address } = (await (await ann.send('POST', '/api/v1/account/addresses', {})).json()) as {
    id: string
    address: string
  }
  const opened = await ann.send('POST', `/api/v1/account/addresses/${id}/open`)
  expect(opened.status).toBe(200)
  const [here, elsewhere] = [service.browser(), service.browser()]
  const forged = await ann.send('POST', PUSH, here.subscription, { origin: 'https://other.example' })
  expect(await answerOf(forged)).toEqual([403, 'forbidden_origin'])
  expect((await ann.send('POST', PUSH, here.subscription)).status).toBe(201)
  const bob = await signedIn(program, 'ann@real.example')
  await bob.send('POST', `/api/v1/account/addresses/${id}/open`)
  expect((await bob.send('POST', PUSH, elsewhere.subscription)).status).toBe(201)
  await ann.send('DELETE', '/api/v1/account/session')
  await sendMail(program.smtpPort, { to: address, subject: 'Hello', text: 'Hello' })
  await elsewhere.until(1)
  await expect.poll(async () => (await bob.json(PUSH)).subscriptions.length).toBe(1)
  expect(here.pushes()).toEqual([])
})
