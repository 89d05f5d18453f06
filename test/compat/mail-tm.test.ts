import Mailjs from '@cemalgnlts/mailjs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { HOUR } from '#core/time.ts'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

/** The client of mail.tm, with nothing changed but its URLs. */
let program: Program
let base: string
beforeAll(async () => {
  program = await startProgram({ env: { MAYFLY_COMPAT: 'mail.tm' }, turnable: true })
  base = `${program.url}/compat/mail.tm`
})
afterAll(() => program.stop())

const clients: Mailjs[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.off()
})

function newClient(): Mailjs {
  const client = new Mailjs({ rateLimitRetries: 0 })
  Object.assign(client, { baseUrl: base, baseMercure: `${base}/.well-known/mercure` })
  clients.push(client)
  return client
}

async function signedIn(): Promise<{ client: Mailjs; username: string; password: string }> {
  const client = newClient()
  const created = await client.createOneAccount()
  expect(created).toMatchObject({ status: true, message: 'ok' })
  return { client, ...created.data }
}

const tokenOf = (client: Mailjs): string => (client as unknown as { token: string }).token

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => fetch(base + path, { headers })

async function received(client: Mailjs, count = 1): Promise<any[]> {
  await expect.poll(async () => (await client.getMessages()).data).toHaveLength(count)
  return (await client.getMessages()).data
}

describe('mailjs', () => {
  test('creates an account, signs in with password and token, and deletes it', async () => {
    const client = newClient()
    const domains = await client.getDomains()
    expect(domains.data).toMatchObject([
      { id: 'mayfly.test', domain: 'mayfly.test', isActive: true, isPrivate: false },
      { domain: 'dayfly.test' },
    ])
    expect((await client.getDomain('dayfly.test')).data).toMatchObject({ domain: 'dayfly.test' })
    expect(await client.getDomain('vip.mayfly.test')).toMatchObject({ status: false, statusCode: 404 })

    const address = `river.${Date.now()}@mayfly.test`
    const registered = await client.register(address, 'correct horse')
    expect(registered).toMatchObject({
      statusCode: 201,
      data: { address, quota: 41_943_040, used: 0, isDisabled: false, isDeleted: false },
    })
    expect(await client.register(address, 'another horse')).toMatchObject({
      statusCode: 422,
      message: 'address: This value is already used.',
    })
    expect(await client.login(address, 'wrong horse')).toMatchObject({
      statusCode: 401,
      data: { code: 401, message: 'Invalid credentials.' },
    })
    expect(await client.login(` ${address.toUpperCase()}`, 'correct horse')).toMatchObject({
      statusCode: 200,
      data: { id: registered.data.id },
    })
    expect((await client.me()).data).toEqual(registered.data)
    expect((await client.getAccount(client.id)).data).toEqual(registered.data)
    expect(await client.getAccount('someone')).toMatchObject({ statusCode: 404 })

    const other = newClient()
    expect((await other.loginWithToken(tokenOf(client))).status).toBe(true)
    expect(other.address).toBe(address)
    expect(await other.deleteMe()).toMatchObject({ statusCode: 204 })
    expect(await client.me()).toMatchObject({ statusCode: 401, message: 'Invalid JWT Token' })
    expect(await client.login(address, 'correct horse')).toMatchObject({ statusCode: 401 })
    expect(await client.register(address, 'correct horse')).toMatchObject({ statusCode: 422 })
  })

  test('reads, marks and deletes messages', async () => {
    const { client, username } = await signedIn()
    const attachments = [{ filename: 'report.txt', content: 'the report' }]
    await sendMail(program.smtpPort, {
      ...verificationMail(username),
      to: `"Me" <${username}>`,
      cc: 'copy@example.org',
      messageId: '<first@harbour.example>',
      attachments,
    })
    const [row] = await received(client)
    expect(row).toMatchObject({
      accountId: `/accounts/${client.id}`,
      msgid: '<first@harbour.example>',
      from: { name: 'Harbour Bank', address: 'no-reply@harbour.example' },
      to: [{ name: 'Me', address: username }],
      subject: 'Confirm your e-mail address',
      seen: false,
      isDeleted: false,
      hasAttachments: true,
    })
    expect(row.intro).toContain('Welcome to Harbour Bank')
    const { data: message } = await client.getMessage(row.id)
    expect(message).toMatchObject({ ...row, cc: ['copy@example.org'], bcc: [], retention: true })
    expect(message.text).toContain('482913')
    expect(message.html[0]).toContain('Confirm my address')
    expect(message.attachments).toMatchObject([{ id: 'ATTACH000001', filename: 'report.txt', size: 10 }])
    const authorization = `Bearer ${tokenOf(client)}`
    const file = await get(message.attachments[0]!.downloadUrl, { authorization })
    expect(await file.text()).toBe('the report')
    expect(file.headers.get('content-disposition')).toContain('attachment; filename="report.txt"')
    const source = (await client.getSource(row.id)).data
    expect(source).toMatchObject({ id: row.id, downloadUrl: `/messages/${row.id}/download` })
    expect(source.data).toContain('Message-ID: <first@harbour.example>')
    expect(await (await get(source.downloadUrl, { authorization })).text()).toBe(source.data)

    expect((await client.setMessageSeen(row.id)).data.seen).toBe(true)
    expect((await client.getMessage(row.id)).data.seen).toBe(true)
    expect((await client.setMessageSeen(row.id, false)).data.seen).toBe(false)
    expect(await client.deleteMessage(row.id)).toMatchObject({ statusCode: 204 })
    expect(await client.getMessage(row.id)).toMatchObject({ statusCode: 404 })
    expect(await client.deleteMessage(row.id)).toMatchObject({ statusCode: 404 })
    expect((await client.getMessages()).data).toEqual([])
    // What belongs to others does not exist.
    const { client: stranger } = await signedIn()
    await sendMail(program.smtpPort, verificationMail(username))
    const [next] = await received(client)
    expect(await stranger.getMessage(next.id)).toMatchObject({ statusCode: 404 })
    expect(await stranger.deleteAccount(client.id)).toMatchObject({ statusCode: 404 })
  })

  test('hears of messages once, of marks and of deletions', async () => {
    const { client, username } = await signedIn()
    const heard: [string, string][] = []
    const opened = new Promise<void>((resolve) => client.on('open', resolve))
    for (const event of ['arrive', 'seen', 'delete'] as const)
      client.on(event, (message: { subject?: string; id: string }) => void heard.push([event, message.id]))
    await opened
    await sendMail(program.smtpPort, verificationMail(username))
    const [{ id }] = await received(client)
    await expect.poll(() => heard).toEqual([['arrive', id]])
    // The check of the sender changes the message, too.
    await client.setMessageSeen(id)
    await expect
      .poll(() => heard)
      .toEqual([
        ['arrive', id],
        ['seen', id],
      ])
    await client.deleteMessage(id)
    await expect.poll(() => heard.at(-1)).toEqual(['delete', id])
    expect(heard).toHaveLength(3)
  })
})

describe('the API of mail.tm', () => {
  test('has pages of 30 messages, in JSON-LD for clients that do not ask for JSON', async () => {
    const { client, username } = await signedIn()
    for (let i = 1; i <= 31; i++) await sendMail(program.smtpPort, { to: username, subject: `Number ${i}`, text: 'x' })
    await received(client, 30)
    expect((await client.getMessages(2)).data).toMatchObject([{ subject: 'Number 1' }])
    expect((await client.getMessages(3)).data).toEqual([])
    const authorization = `Bearer ${tokenOf(client)}`
    const linked = await get('/messages?page=1', { authorization, accept: '*/*' })
    expect(linked.headers.get('content-type')).toBe('application/ld+json; charset=utf-8')
    const list: any = await linked.json()
    expect(list).toMatchObject({
      '@context': '/contexts/Message',
      '@id': '/messages',
      '@type': 'hydra:Collection',
      'hydra:totalItems': 31,
      'hydra:view': {
        'hydra:first': '/messages?page=1',
        'hydra:last': '/messages?page=2',
        'hydra:next': '/messages?page=2',
      },
    })
    expect(list['hydra:member'][0]).toMatchObject({ '@type': 'Message', subject: 'Number 31' })
    const me: any = await (await get('/me', { authorization, accept: 'application/ld+json' })).json()
    expect(me).toMatchObject({ '@context': '/contexts/Account', '@id': `/accounts/${client.id}`, '@type': 'Account' })
  })

  test.each([
    [{ address: 'ab@mayfly.test', password: 'long enough' }, 'address', /A login is 3 to 64/],
    [{ address: 'admin@mayfly.test', password: 'long enough' }, 'address', /reserved/],
    [{ address: 'somebody@example.org', password: 'long enough' }, 'address', /domain/],
    [{ address: 'somebody@vip.mayfly.test', password: 'long enough' }, 'address', /Premium/],
    [{ address: 'nothing', password: 'long enough' }, 'address', /domain/],
    [{ address: 'somebody@mayfly.test', password: 'short' }, 'password', /8 characters/],
    [{ address: 'somebody@mayfly.test' }, 'password', /required/],
  ])('refuses the account %j', async (account, propertyPath, message) => {
    for (const accept of ['application/json', 'application/ld+json']) {
      const response = await fetch(`${base}/accounts`, {
        method: 'POST',
        headers: { accept, 'content-type': accept },
        body: JSON.stringify(account),
      })
      expect(response.status).toBe(422)
      const body: any = await response.json()
      expect(body.violations).toEqual([{ propertyPath, message: expect.stringMatching(message) }])
      expect(body.detail ?? body['hydra:description']).toMatch(message)
    }
  })

  test('answers errors as clients expect them', async () => {
    const accept = 'application/json'
    expect(await (await get('/me', { accept })).json()).toEqual({ code: 401, message: 'JWT Token not found' })
    const { client } = await signedIn()
    const [head, claims = '', box] = tokenOf(client).split('.')
    const decoded = JSON.parse(Buffer.from(claims, 'base64url').toString())
    expect(decoded).toMatchObject({ id: client.id, address: client.address, exp: decoded.iat + 24 * 3600 })
    const later = Buffer.from(JSON.stringify({ ...decoded, exp: decoded.exp + 1 })).toString('base64url')
    for (const token of [`${head}.${later}.${box}`, 'x', 'a.b.c', `${tokenOf(client)}.x`]) {
      const response = await get('/me', { accept, authorization: `Bearer ${token}` })
      expect([response.status, await response.json()]).toEqual([401, { code: 401, message: 'Invalid JWT Token' }])
    }
    expect((await get('/nothing', { accept })).status).toBe(404)
    expect(await (await get('/nothing')).json()).toMatchObject({ '@type': 'hydra:Error' })
    const wrong = await get('/token', { accept })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
    const body = await fetch(`${base}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    expect(body.status).toBe(400)
  })

  test('has tokens for a day, while the account lives on with every visit', async () => {
    const { client, username, password } = await signedIn()
    await program.turn(20 * HOUR, { passes: true })
    expect((await client.me()).status).toBe(true)
    await program.turn(25 * HOUR, { passes: true })
    expect(await client.me()).toMatchObject({ statusCode: 401, message: 'Expired JWT Token' })
    expect((await client.login(username, password)).status).toBe(true)
    expect((await client.me()).data.address).toBe(username)
    await program.turn(50 * HOUR, { passes: true })
    expect(await client.login(username, password)).toMatchObject({ statusCode: 401, message: 'Invalid credentials.' })
  })

  test('a request that is no visit does not extend the account', async () => {
    await program.turn(100 * HOUR, { passes: true })
    const { client, username, password } = await signedIn()
    await program.turn(120 * HOUR, { passes: true })
    const headers = { authorization: `Bearer ${tokenOf(client)}`, 'x-visit': 'no' }
    expect((await get('/me', headers)).status).toBe(200)
    await program.turn(125 * HOUR, { passes: true })
    expect(await client.login(username, password)).toMatchObject({ statusCode: 401, message: 'Invalid credentials.' })
  })
})
