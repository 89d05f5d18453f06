import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

let program: Program
let owner: ApiClient
beforeAll(async () => {
  program = await startProgram({
    env: {
      ...WITHOUT_LIMITS,
      MAYFLY_STREAMS_PER_IP_MAX: '3',
      MAYFLY_PAGE_MESSAGES: '3',
    },
  })
  owner = await createAddress(program.url)
  await send(owner.address, 'one')
  await arrived(owner, 1)
})
afterAll(() => program.stop())

const send = (to: string, subject: string, rest = {}) =>
  sendMail(program.smtpPort, { to, subject, text: subject, ...rest })
const MESSAGES = '/api/v1/messages'

const arrived = (client: ApiClient, count: number): Promise<any[]> =>
  vi.waitFor(async () => {
    const { messages } = await client.json(MESSAGES)
    expect(messages).toHaveLength(count)
    return messages
  }, PATIENCE)

describe('a message', () => {
  test.each([
    ['Tue, 1 Jul 2003 10:52:37 +0200', '2003-07-01T08:52:37.000Z'],
    ['not a date', null],
    [undefined, null],
  ])('with the date %s has %s', async (date, expected) => {
    const client = await createAddress(program.url)
    const raw = `From: a@sender.example\r\nSubject: dated\r\n${date ? `Date: ${date}\r\n` : ''}\r\nHello\r\n`
    await sendMail(program.smtpPort, { envelope: { from: 'a@sender.example', to: client.address }, raw })
    const [{ id }] = await arrived(client, 1)
    expect(await client.json(`${MESSAGES}/${id}`)).toMatchObject({ date: expected })
  })

  test('is read, marked and deleted', async () => {
    const client = await createAddress(program.url)
    await sendMail(program.smtpPort, verificationMail(client.address))
    const [{ id }] = await arrived(client, 1)
    const path = `${MESSAGES}/${id}`
    const whole = await client.json(path)
    expect(whole).toMatchObject({ id, code: '482913', hasRemoteContent: false })
    expect(whole.headers).toContainEqual({ name: 'Subject', value: 'Confirm your e-mail address' })
    expect((await client.json(path)).seen).toBe(false)
    expect(await (await client.send('PATCH', path, { seen: true })).json()).toMatchObject({ id, seen: true })
    expect(await (await client.send('PATCH', path, { seen: false })).json()).toMatchObject({ seen: false })
    for (const body of [{}, { seen: 'maybe' }, { seen: true, subject: 'x' }])
      expect((await client.send('PATCH', path, body)).status).toBe(400)
    expect((await client.send('DELETE', path)).status).toBe(204)
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { seen: true }]] as const)
      expect((await client.send(method, path, body)).status).toBe(404)
    expect((await client.get(`${path}/raw`)).status).toBe(404)
  })

  test('is marked as seen when its page is viewed, not when a browser prefetches it', async () => {
    const client = await createAddress(program.url)
    await send(client.address, 'look')
    const [{ id }] = await arrived(client, 1)
    const visit = async (method: string, headers = {}) => {
      const cookie = `mayfly_secret=${client.secret}`
      const response = await fetch(`${program.url}/?message=${id}`, { method, headers: { cookie, ...headers } })
      expect(response.status).toBe(200)
      return (await client.json(`${MESSAGES}/${id}`)).seen
    }
    expect(await visit('HEAD')).toBe(false)
    expect(await visit('GET', { 'sec-purpose': 'prefetch;prerender' })).toBe(false)
    expect(await visit('GET')).toBe(true)
  })

  test('of another address does not exist for any request', async () => {
    const stranger = await createAddress(program.url)
    const [{ id }] = (await owner.json(MESSAGES)).messages
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', '/raw'],
      ['GET', '/attachments/0'],
      ['PATCH', '', { seen: true }],
      ['DELETE', ''],
    ] as const) {
      const response = await stranger.send(method, `${MESSAGES}/${id}${path}`, body)
      expect([response.status, ((await response.json()) as any).code]).toEqual([404, 'message_not_found'])
    }
    expect((await owner.json(`${MESSAGES}/${id}`)).seen).toBe(false)
    // Neither in a frame nor on the page.
    for (const path of [`/frame/message?id=${id}`, `/?message=${id}`])
      expect(
        (await fetch(program.url + path, { headers: { cookie: `mayfly_secret=${stranger.secret}` } })).status,
      ).toBe(404)
  })

  test.each(['0', 'x'.repeat(64), '%00', '..%2f..', "'--"])('with the id %s does not exist: 404', async (id) =>
    expect((await owner.get(`${MESSAGES}/${id}`)).status).toBe(404),
  )

  test('raw returns the original bytes as a download', async () => {
    const client = await createAddress(program.url)
    await send(client.address, 'raw', { text: 'line one\n.dot\n\nend' })
    const [{ id, size }] = await arrived(client, 1)
    const response = await client.get(`${MESSAGES}/${id}/raw`)
    expect(response.headers.get('content-type')).toBe('message/rfc822')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="${id}.eml"; filename*=UTF-8''${id}.eml`,
    )
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    const raw = await response.text()
    expect(raw).toMatch(/\r\n\r\nline one\r\n\.dot\r\n\r\nend\r\n$/)
    expect(raw.replace(/^Return-Path: .*\r\n/, '')).toHaveLength(size)
  })

  test.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\x.exe', 'x.exe'],
    ['a"b;c.txt', 'a_b;c.txt'],
    ['\u202Egpj.exe', 'gpj.exe'],
    ['con.txt', '_con.txt'],
    ['．．／．．／etc／passwd', '．．／．．／etc／passwd'],
    ['a\r\nSet-Cookie: x=1.txt', null],
    [`${'long '.repeat(60)}.pdf`, null],
    ['%2e%2e%2fx', '%2e%2e%2fx'],
    ['Жук 文.txt', 'Жук 文.txt'],
    ['', null],
  ])('the attachment %j is downloaded as %j', async (filename, safe) => {
    const client = await createAddress(program.url)
    const content = Buffer.from('<script>alert(1)</script>')
    await send(client.address, 'file', { attachments: [{ filename, content, contentType: 'text/html' }] })
    const [message] = await arrived(client, 1)
    const response = await client.get(`${MESSAGES}/${message.id}/attachments/0`)
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content)
    const disposition = response.headers.get('content-disposition') ?? ''
    expect(disposition).toMatch(/^attachment; filename="[ -~]*"; filename\*=UTF-8''[\w.!~%-]+$/)
    const name = decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')
    if (safe) expect(name).toBe(safe)
    expect(name).toMatch(/^[^\p{Cc}/\\]{1,200}$/u)
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
  })

  test.each(['7bit', 'quoted-printable'])('an attachment in %s is downloaded as it was sent', async (encoding) => {
    const client = await createAddress(program.url)
    const content = 'a,b\r\n--x\r\n\r\n'
    const head = `Content-Type: text/csv\r\nContent-Transfer-Encoding: ${encoding}`
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${head}\r\n\r\n${content}\r\n--b--\r\n`
    await sendMail(program.smtpPort, { envelope: { from: 'a@sender.example', to: client.address }, raw })
    const [{ id, attachments }] = await arrived(client, 1)
    const response = await client.get(`${MESSAGES}/${id}/attachments/0`)
    expect(response.headers.get('content-length')).toBe(String(content.length))
    expect(await response.text()).toBe(content)
    expect(attachments[0].size).toBe(content.length)
  })

  test('an unknown attachment: 404, an invalid index: 400', async () => {
    const client = await createAddress(program.url)
    await send(client.address, 'no file')
    const [{ id }] = await arrived(client, 1)
    expect((await client.get(`${MESSAGES}/${id}/attachments/0`)).status).toBe(404)
    for (const index of ['-1', 'x', '1e9'])
      expect((await client.get(`${MESSAGES}/${id}/attachments/${index}`)).status).toBe(400)
  })
})
