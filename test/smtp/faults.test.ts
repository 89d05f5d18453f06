import { beforeAll, describe, expect, test } from 'vitest'
import { RawClient } from '#smtp/testing.ts'
import { call, type ApiClient, createAddress } from '#test/support/program/api.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

const FAULTS = '/api/v1/address/faults'
const ACCEPTED = '250 2.6.0 Message accepted'

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

async function faulty(...rules: object[]): Promise<ApiClient> {
  const owner = await createAddress(program.url)
  const response = await owner.send('PUT', FAULTS, { rules })
  expect([response.status, await response.json()]).toEqual([200, { rules }])
  return owner
}

async function sender(): Promise<RawClient> {
  const client = await RawClient.connect(program.smtpPort)
  await client.ask('EHLO mail.shop.example')
  return client
}

/** Names the recipients and returns the last reply. */
async function recipients(client: RawClient, ...owners: ApiClient[]): Promise<string> {
  let reply = await client.ask('MAIL FROM:<news@shop.example>')
  for (const { address } of owners) {
    reply = await client.ask(`RCPT TO:<${address}>`)
    if (reply === '') break
  }
  return reply.trim()
}

/** Sends a message and returns the reply. */
async function data(client: RawClient): Promise<string> {
  const reply = await client.ask('DATA')
  if (!reply.startsWith('354')) return reply.trim()
  client.send('Subject: hello\r\n\r\nhello\r\n.\r\n')
  return (await client.reply()).trim()
}

async function deliver(...owners: ApiClient[]): Promise<string> {
  const client = await sender()
  const reply = await recipients(client, ...owners)
  return reply.startsWith('250') ? data(client) : reply
}

const subjects = async (owner: ApiClient): Promise<string[]> =>
  (await owner.json('/api/v1/messages')).messages.map(({ subject }: any) => subject)

test('the explanation of a wait says what was refused, since a time or a message', async () => {
  const owner = await faulty({ at: 'rcpt', first: 1, action: 'reject', code: 550, enhancedCode: '5.7.1', text: 'No' })
  expect(await deliver(owner)).toBe('550 5.7.1 No')
  await expect.poll(async () => (await owner.json('/api/v1/deliveries')).deliveries).toHaveLength(1)
  const wait = async (query = '') => (await owner.json(`/api/v1/messages?wait=0&subject=other${query}`)).explanation
  const { text, refused } = await wait()
  expect(text).toContain('An email from shop.example was refused with `550 5.7.1 No`.')
  const attempt = { result: 'refused', reply: '550 5.7.1 No', count: 1, senderDomain: 'shop.example' }
  expect(refused).toMatchObject([{ ...attempt, server: { name: 'mail.shop.example' } }])
  // An attempt that came before the time, or the message, that the wait is about does not explain it.
  expect(await deliver(owner)).toBe(ACCEPTED)
  const [{ id, receivedAt }] = (await owner.json('/api/v1/messages?wait=30')).messages
  expect((await wait(`&since=${receivedAt}`)).refused).toEqual([])
  expect((await wait(`&after=${id}`)).refused).toEqual([])
  expect((await wait('&since=2020-01-01T00:00:00Z')).refused).toHaveLength(1)
})

describe('faults at RCPT', () => {
  test('reject the first attempts with the given reply, and are listed as deliveries', async () => {
    const reply = '451 4.7.1 Try again later'
    const [code, enhancedCode] = reply.split(' ')
    const rule = { at: 'rcpt', first: 2, action: 'reject', code: Number(code), enhancedCode, text: 'Try again later' }
    const owner = await faulty(rule)
    expect([await deliver(owner), await deliver(owner), await deliver(owner)]).toEqual([reply, reply, ACCEPTED])
    await expect
      .poll(async () => (await owner.json('/api/v1/deliveries')).deliveries)
      .toMatchObject([{ result: 'received' }, { result: 'deferred', reply, count: 2 }])
  })

  test('count from the start when they are set again, and end when they are removed', async () => {
    const rule = { at: 'rcpt', first: 1, action: 'reject', code: 550 }
    const owner = await faulty(rule)
    const reply = '550 5.0.0 Requested by the owner of the address'
    expect([await deliver(owner), await deliver(owner)]).toEqual([reply, ACCEPTED])
    await owner.send('PUT', FAULTS, { rules: [rule] })
    expect(await deliver(owner)).toBe(reply)
    await owner.send('PUT', FAULTS, { rules: [{ at: 'rcpt', action: 'reject', code: 550 }] })
    expect((await owner.send('DELETE', FAULTS)).status).toBe(204)
    expect([await deliver(owner), await owner.json(FAULTS)]).toEqual([ACCEPTED, { rules: [] }])
  })

  test('close the connection without a reply', async () => {
    const client = await sender()
    const owner = await faulty({ at: 'rcpt', action: 'close' })
    expect(await recipients(client, owner)).toBe('')
    await expect
      .poll(async () => (await owner.json('/api/v1/deliveries')).deliveries)
      .toMatchObject([{ result: 'interrupted', reply: null }])
  })

  test('close the connection at each attempt, also for equal messages and after the rules are set again', async () => {
    const rule = { at: 'rcpt', action: 'close' }
    const owner = await faulty(rule)
    expect([await deliver(owner), await deliver(owner), await deliver(owner)]).toEqual(['', '', ''])
    for (let run = 0; run < 2; run++) {
      await owner.send('PUT', FAULTS, { rules: [{ ...rule, first: 1 }] })
      expect([await deliver(owner), await deliver(owner)]).toEqual(['', ACCEPTED])
    }
  })

  test('do not close the connection after other recipients, whether they have faults or not', async () => {
    const [first, second] = [
      await faulty({ at: 'rcpt', action: 'reject', code: 451 }),
      await createAddress(program.url),
    ]
    const closing = await faulty({ at: 'rcpt', action: 'close' })
    expect(await deliver(first, closing, second)).toBe(ACCEPTED)
    expect(await recipients(await sender(), second, closing)).toMatch(/^451/)
    expect([await subjects(second), await subjects(closing)]).toEqual([['hello'], []])
  })

  test('reply with 421 above a rate', async () => {
    const owner = await faulty({ at: 'rcpt', action: 'limit', perMinute: 2 })
    expect([await deliver(owner), await deliver(owner), await deliver(owner)]).toEqual([
      ACCEPTED,
      ACCEPTED,
      '421 4.7.0 Too many messages, try again later',
    ])
  })

  test('do not affect other recipients of the same message', async () => {
    const owner = await faulty({ at: 'rcpt', action: 'reject', code: 550 })
    const other = await createAddress(program.url)
    const client = await sender()
    expect(await recipients(client, other, owner)).toMatch(/^550/)
    expect(await data(client)).toBe(ACCEPTED)
    expect([await subjects(other), await subjects(owner)]).toEqual([['hello'], []])
  })
})

test.each([
  [{ action: 'close' }, '451 4.3.0 Requested by the owner of the address'],
  [{ action: 'reject', code: 421, enhancedCode: '4.7.1', text: 'Slow down' }, '451 4.7.1 Slow down'],
  [{ action: 'limit', perMinute: 1 }, '451 4.7.0 Too many messages, try again later'],
  [{ action: 'delay', seconds: 60 }, '250'],
])('the fault %j does not touch a recipient that was named before', async (fault, reply) => {
  const owner = await faulty({ at: 'rcpt', ...fault })
  if (fault.action === 'limit') expect(await deliver(owner)).toBe(ACCEPTED)
  const other = await createAddress(program.url)
  const client = await sender()
  const start = performance.now()
  expect((await recipients(client, other, owner)).startsWith(reply)).toBe(true)
  expect(await data(client)).toBe(ACCEPTED)
  // Less than the delay of the rule.
  expect(performance.now() - start).toBeLessThan(55_000)
  expect(await subjects(other)).toEqual(['hello'])
})

describe('faults at DATA', () => {
  test('reject a message after its transfer, which is not stored', async () => {
    const owner = await faulty({ at: 'data', action: 'reject', first: 1, code: 554, enhancedCode: '5.6.0', text: 'No' })
    expect([await deliver(owner), await subjects(owner)]).toEqual(['554 5.6.0 No', []])
    expect([await deliver(owner), await subjects(owner)]).toEqual([ACCEPTED, ['hello']])
  })

  test('close the connection instead of a reply to the message', async () => {
    const owner = await faulty({ at: 'data', action: 'close', first: 1 })
    expect([await deliver(owner), await subjects(owner)]).toEqual(['', []])
    expect(await deliver(owner)).toBe(ACCEPTED)
  })

  test('do not apply to messages with several recipients', async () => {
    const owner = await faulty({ at: 'data', action: 'reject', code: 554 })
    const other = await createAddress(program.url)
    expect([await deliver(owner, other), await subjects(owner), await subjects(other)]).toEqual([
      ACCEPTED,
      ['hello'],
      ['hello'],
    ])
  })
})

test.each(['rcpt', 'data'])('delays the reply at %s', async (at) => {
  const owner = await faulty({ at, action: 'delay', seconds: 1 })
  const start = performance.now()
  expect(await deliver(owner)).toBe(ACCEPTED)
  expect(performance.now() - start).toBeGreaterThan(990)
})

test.each(['rcpt', 'data'])('does not hold up others while a reply at %s is delayed', async (at) => {
  const owner = await faulty({ at, action: 'delay', seconds: 60 })
  const other = await createAddress(program.url)
  const client = await sender()
  const delayed = recipients(client, owner).then((reply) => (reply.startsWith('250') ? data(client) : reply))
  expect(await Promise.race([delayed, deliver(other)])).toBe(ACCEPTED)
  client.socket.resetAndDestroy()
  expect([await delayed, await subjects(owner), await subjects(other)]).toEqual(['', [], ['hello']])
})

test('lets only a few sessions of one address wait', async () => {
  const owner = await faulty({ at: 'rcpt', action: 'delay', seconds: 60 })
  const clients = await Promise.all(Array.from({ length: 11 }, sender))
  const replies = clients.map((client) => recipients(client, owner))
  expect(await Promise.race(replies)).toBe('451 4.3.2 Too many delayed sessions, try again later')
  // A client that only closes its side may still wait for the reply, so its place would be taken until the delay is over.
  for (const client of clients) client.socket.resetAndDestroy()
  // The places are free long before the delays are over.
  await expect.poll(() => sentinel(owner), { timeout: 30_000 }).toBe('waits')
})

async function sentinel(owner: ApiClient): Promise<string> {
  const client = await sender()
  const first = await Promise.race([
    recipients(client, owner),
    new Promise((resolve) => setTimeout(resolve, 200, 'waits')),
  ])
  client.socket.resetAndDestroy()
  return first as string
}

test.each([
  [{ at: 'rcpt', action: 'reject', code: 250 }],
  [{ at: 'rcpt', action: 'reject', code: 550, enhancedCode: '4.1.1' }],
  [{ at: 'rcpt', action: 'reject', code: 550, text: 'No\r\n250 OK' }],
  [{ at: 'rcpt', action: 'reject', code: 550, text: 'x'.repeat(201) }],
  [{ at: 'rcpt', action: 'delay', seconds: 61 }],
  [{ at: 'rcpt', action: 'close', extra: 1 }],
  [{ at: 'mail', action: 'close' }],
])('refuses the rule %j', async (rule) => {
  const owner = await createAddress(program.url)
  const response = await owner.send('PUT', FAULTS, { rules: [rule] })
  expect([response.status, ((await response.json()) as any).code]).toEqual([400, 'invalid_request'])
})

test('refuses delays of more than a minute together, and more than ten rules', async () => {
  const owner = await createAddress(program.url)
  const delay = { at: 'rcpt', action: 'delay', seconds: 31 }
  expect((await owner.send('PUT', FAULTS, { rules: [delay, delay] })).status).toBe(400)
  expect((await owner.send('PUT', FAULTS, { rules: [delay, { ...delay, at: 'data' }] })).status).toBe(200)
  const many = Array.from({ length: 11 }, () => ({ at: 'rcpt', action: 'close' }))
  expect((await owner.send('PUT', FAULTS, { rules: many })).status).toBe(400)
})

test('requires an API key unless the client is on this machine', async () => {
  const owner = await createAddress(program.url)
  const rules = JSON.stringify({ rules: [{ at: 'rcpt', action: 'close' }] })
  const headers = { authorization: `Bearer ${owner.secret}`, 'content-type': 'application/json' }
  const put = (more: object) =>
    fetch(program.url + FAULTS, { method: 'PUT', headers: { ...headers, ...more }, body: rules })
  const refused = await put({ 'x-forwarded-for': '203.0.113.5' })
  expect([refused.status, ((await refused.json()) as any).code]).toEqual([403, 'premium_required'])
  expect((await call(program.url, 'PUT', FAULTS, { rules: [] })).status).toBe(401)
})
