import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { type SiteClient, signedIn, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { call } from '#test/support/program/api.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { isSigned, type Receiver, startReceiver } from '#test/support/webhook-receiver.ts'

const HOOKS = '/api/v1/account/webhooks'
const EMAIL = 'ann@real.example'
const env = {
  ...WITHOUT_LIMITS,
  MAYFLY_ADDRESS_CREATE_BURST: '1000',
  MAYFLY_WEBHOOK_SECONDS: '1',
  MAYFLY_WEBHOOK_TEST_BURST: '100',
  MAYFLY_LOG_LEVEL: 'debug',
}

let receiver: Receiver
let dataDir: string
let program: Program
let ann: SiteClient

beforeAll(async () => {
  receiver = await startReceiver()
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-webhooks-'))
  program = await startProgram({ env, dataDir })
  await subscribeIn(program, EMAIL)
  ann = await signedIn(program, EMAIL)
})
afterAll(async () => {
  await program.stop()
  await receiver.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function hook(path: string): Promise<{ id: string; secret: string }> {
  const response = await ann.send('POST', HOOKS, { url: receiver.url(path) })
  expect(response.status).toBe(201)
  return (await response.json()) as { id: string; secret: string }
}
const remove = async ({ id }: { id: string }) => expect((await ann.send('DELETE', `${HOOKS}/${id}`)).status).toBe(204)
const stateOf = async (id: string) =>
  (await ann.json(HOOKS)).webhooks.find((each: { id: string }) => each.id === id)?.state
async function keep(): Promise<{ id: string; address: string }> {
  const response = await ann.send('POST', '/api/v1/account/addresses', {})
  expect(response.status).toBe(201)
  return (await response.json()) as { id: string; address: string }
}
/** Deliveries in the database file. */
function inDatabase(): { waiting: number; bytes: string } {
  const database = new DatabaseSync(join(dataDir, 'mayfly.db'), { readOnly: true })
  const rows = database.prepare('select sealed from webhook_deliveries').all()
  database.close()
  return {
    waiting: rows.length,
    bytes: rows.map(({ sealed }) => Buffer.from(sealed as Uint8Array).toString('latin1')).join(),
  }
}

describe('a webhook', () => {
  test('shows its secret once, reports a message as the API does, and gets no calls after it is removed', async () => {
    const made = await hook('/calls')
    expect(made).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      url: receiver.url('/calls'),
      state: 'on',
      createdAt: expect.stringMatching(/Z$/),
      deliveredAt: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const { secret, ...shown } = made
    expect(await ann.json(HOOKS)).toEqual({ webhooks: [shown], limits: { webhooks: 5, offDays: 3 } })

    const { id, address } = await keep()
    await sendMail(program.smtpPort, verificationMail(address))
    const [delivery] = await receiver.until('/calls')
    expect(isSigned(delivery!, secret)).toBe(true)
    const age = Date.now() / 1000 - Number(delivery!.headers['webhook-timestamp'])
    expect(Math.abs(age)).toBeLessThan(60)
    const event = JSON.parse(delivery!.body)
    expect(event).toMatchObject({ type: 'message', address, message: { code: '482913', seen: false } })
    expect((await ann.send('POST', `/api/v1/account/addresses/${id}/open`)).status).toBe(200)
    const { messages } = await ann.json('/api/v1/messages')
    // The same except for what was looked up meanwhile.
    const { authentication: _, ...summary } = messages[0]
    expect(event.message).toMatchObject(summary)

    await expect.poll(async () => (await ann.json(HOOKS)).webhooks[0].deliveredAt).toMatch(/Z$/)
    await remove(made)
    // The call of another webhook tells that this message was announced.
    const other = await hook('/other')
    await sendMail(program.smtpPort, verificationMail(address))
    await receiver.until('/other')
    expect(receiver.of('/calls')).toHaveLength(1)
    await remove(other)
    await ann.send('DELETE', `/api/v1/account/addresses/${id}`)
  })

  test('can be tested', async () => {
    const { id, secret } = await hook('/tried')
    const tried = await ann.send('POST', `${HOOKS}/${id}/test`)
    expect(await tried.json()).toEqual({ status: 204 })
    const [call_] = receiver.of('/tried')
    expect([call_!.body, isSigned(call_!, secret)]).toEqual(['{"type":"test"}', true])
    receiver.answers.set('/tried', 500)
    expect(await (await ann.send('POST', `${HOOKS}/${id}/test`)).json()).toEqual({ status: 500 })
    receiver.answers.set('/tried', (response) => response.destroy())
    expect(await (await ann.send('POST', `${HOOKS}/${id}/test`)).json()).toEqual({ status: null })
    expect(await stateOf(id)).toBe('on')
    await remove({ id })
  })

  test('needs a public URL, is limited to five, and belongs to its owner', async () => {
    for (const url of ['https://10.0.0.1/hook', 'http://example.com/', 'https://[::1', 'file:///etc/passwd'])
      expect(await answerOf(ann.send('POST', HOOKS, { url }))).toEqual([422, 'webhook_invalid'])
    const made = []
    for (let i = 0; i < 5; i++) made.push(await hook(`/many-${i}`))
    const refused = await ann.send('POST', HOOKS, { url: receiver.url('/more') })
    expect(await answerOf(refused)).toEqual([409, 'webhooks_full'])
    expect((await call(program.url, 'GET', HOOKS)).status).toBe(401)
    const elsewhere = await ann.send('DELETE', `${HOOKS}/${made[0]!.id}`, undefined, {
      origin: 'https://other.example',
    })
    expect(await answerOf(elsewhere)).toEqual([403, 'forbidden_origin'])
    for (const each of made) await remove(each)
    expect(await answerOf(ann.send('DELETE', `${HOOKS}/${made[0]!.id}`))).toEqual([404, 'webhook_not_found'])
  })

  test('on this machine can be added only from this machine', async () => {
    const proxied = { 'x-forwarded-for': '203.0.113.9' }
    for (const url of [receiver.url('/proxied'), 'https://127.0.0.1/', 'http://[::1]:1/', 'http://LOCALHOST:1/'])
      expect(await answerOf(ann.send('POST', HOOKS, { url }, proxied))).toEqual([422, 'webhook_invalid'])
    await remove(await hook('/not-proxied'))
  })

  test('that never responds delays no other', async () => {
    const slow = await hook('/slow')
    const fast = await ann.send('POST', HOOKS, { url: receiver.url('/fast').replace('localhost', '127.0.0.1') })
    receiver.answers.set('/slow', () => {})
    const { id, address } = await keep()
    for (let i = 0; i < 10; i++) await sendMail(program.smtpPort, { to: address, subject: `Mail ${i}`, text: 'Hello' })
    await receiver.until('/fast', 10)
    await expect.poll(() => stateOf(slow.id)).toBe('failing')
    await remove(slow)
    await remove((await fast.json()) as { id: string })
    await ann.send('DELETE', `/api/v1/account/addresses/${id}`)
  })

  test('gets waiting calls after the program was killed; they are sealed, and no log names them', async () => {
    const { id, secret } = await hook('/survivor')
    receiver.answers.set('/survivor', () => {})
    const { address } = await keep()
    await sendMail(program.smtpPort, verificationMail(address, '771203'))
    const [before] = await receiver.until('/survivor')
    const { waiting, bytes } = inDatabase()
    expect(waiting).toBe(1)
    for (const clear of ['771203', address, 'harbour', 'survivor']) expect(bytes).not.toContain(clear)
    await program.stop('SIGKILL')

    receiver.answers.set('/survivor', 204)
    const killed = program
    program = await startProgram({ env, dataDir })
    const calls = await receiver.until('/survivor', 2)
    expect(calls[1]!.headers['webhook-id']).toBe(before!.headers['webhook-id'])
    expect(JSON.parse(calls[1]!.body)).toEqual(JSON.parse(before!.body))
    expect(isSigned(calls[1]!, secret)).toBe(true)
    await expect.poll(() => inDatabase().waiting).toBe(0)
    const metrics = await (await fetch(program.metricsUrl)).text()
    expect(metrics).toContain('mayfly_webhook_calls_total{outcome="delivered"} 1')
    const log = [...killed.stderr, ...killed.stdout, ...program.stderr, ...program.stdout].join('\n')
    expect(log).not.toMatch(/survivor|\/slow|\/calls|localhost:\d+\/\w/)
    expect(log).not.toContain(address)
    expect(id).toMatch(/./)
  })
})
