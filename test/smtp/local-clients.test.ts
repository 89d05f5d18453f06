import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RawClient } from '#smtp/testing.ts'
import { createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

/** With three connections each, more than one client may have on a public site. */
const WORKERS = 24
const ROUNDS = 2
/** More than one session may have on a public site. */
const MESSAGES = 205

let program: Program
beforeAll(async () => {
  // With default settings, as a new user starts it.
  program = await startProgram()
})
afterAll(() => program.stop())

const mail = (to: string, subject: string) => ({ from: 'app@example.org', to, subject, text: 'Your code is 482913' })

describe('on one machine, without settings', () => {
  test('a transport without options delivers', async () => {
    const owner = await createAddress(program.url)
    const transport = createTransport({ host: '127.0.0.1', port: program.smtpPort })
    await transport.sendMail(mail(owner.address, 'Plain'))
    const { messages } = await owner.json('/api/v1/messages?wait=30')
    expect(messages[0]).toMatchObject({ subject: 'Plain', code: '482913' })
  })

  test.each(['PLAIN', 'LOGIN', 'CRAM-MD5'])('a transport that signs in by %s delivers', async (authMethod) => {
    const owner = await createAddress(program.url)
    const auth = { user: 'anybody', pass: 'anything' }
    const transport = createTransport({ host: 'localhost', port: program.smtpPort, auth, authMethod })
    await transport.sendMail(mail(owner.address, authMethod))
    expect((await owner.json('/api/v1/messages?wait=30')).messages[0].subject).toBe(authMethod)
  })

  test(`${WORKERS} concurrent workers meet no limit`, { timeout: 240_000 }, async () => {
    const work = async (worker: number): Promise<void> => {
      // Each with separate connections, as the processes of test runners.
      const transport = createTransport({ host: '127.0.0.1', port: program.smtpPort, pool: true, maxConnections: 3 })
      for (let round = 0; round < ROUNDS; round++) {
        const owner = await createAddress(program.url)
        const subjects = Array.from({ length: 3 }, (_, i) => `${worker}-${round}-${i}`)
        const waiting = owner.json(`/api/v1/messages?wait=60&subject=${subjects[0]}`)
        await Promise.all(subjects.map((subject) => transport.sendMail(mail(owner.address, subject))))
        expect((await waiting).messages).toHaveLength(1)
        const { messages } = await owner.json('/api/v1/messages')
        expect(messages.map(({ subject }: { subject: string }) => subject).toSorted()).toEqual(subjects)
        await owner.send('DELETE', '/api/v1/address')
      }
      transport.close()
    }
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)))
  })

  test('one connection may name many recipients that do not exist', async () => {
    const client = await RawClient.connect(program.smtpPort)
    client.send(`EHLO x\r\nMAIL FROM:<>\r\n${'RCPT TO:<bounced@mayfly.test>\r\n'.repeat(105)}NOOP\r\n`)
    const replies = (await client.replies(108)).slice(2).map((reply) => reply.slice(0, 3))
    expect(replies).toEqual([...Array(105).fill('550'), '250'])
  })

  test('one connection may send many messages', { timeout: 120_000 }, async () => {
    const owner = await createAddress(program.url)
    const options = { pool: true, maxConnections: 1, maxMessages: Infinity } as const
    const transport = createTransport({ host: '127.0.0.1', port: program.smtpPort, ...options })
    for (let i = 0; i < MESSAGES; i++) await transport.sendMail(mail(owner.address, `Mail ${i}`))
    transport.close()
    const subjects: string[] = []
    let query = ''
    do {
      const { messages, next } = await owner.json(`/api/v1/messages${query}`)
      subjects.push(...messages.map(({ subject }: { subject: string }) => subject))
      query = next && `?before=${next}`
    } while (query)
    expect(subjects.toReversed()).toEqual(Array.from({ length: MESSAGES }, (_, i) => `Mail ${i}`))
  })

  test('clients behind a proxy have the usual limits', async () => {
    const ask = () => fetch(`${program.url}/api/v1/domains`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
    const answers = await Promise.all(Array.from({ length: 40 }, ask))
    expect(answers.some(({ status }) => status === 429)).toBe(true)
    const page = await fetch(`${program.url}/api/v1/domains`, { headers: { origin: 'https://other.example' } })
    expect(page.headers.get('ratelimit-limit')).toBe('8')
  })
})

test('a configured limit applies to this machine too', async () => {
  const limited = await startProgram({ env: { MAYFLY_API_REQUESTS_PER_SECOND: '8', MAYFLY_STREAMS_PER_IP_MAX: '1' } })
  try {
    const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(`${limited.url}/api/v1/domains`)))
    expect(answers.some(({ status }) => status === 429)).toBe(true)
  } finally {
    await limited.stop()
  }
})

test('a public site offers STARTTLS and no AUTH, and limits its own machine', async () => {
  const site = await startProgram({ env: { MAYFLY_PUBLIC_URL: 'https://mail.example' } })
  try {
    const owner = await createAddress(`http://127.0.0.1:${site.httpPort}`)
    const server = { host: '127.0.0.1', port: site.smtpPort }
    await expect(createTransport(server).sendMail(mail(owner.address, 'x'))).rejects.toMatchObject({ code: 'ESOCKET' })
    const tls = { rejectUnauthorized: false }
    await createTransport({ ...server, tls }).sendMail(mail(owner.address, 'x'))
    const auth = { user: 'anybody', pass: 'anything' }
    const refused = createTransport({ ...server, tls, auth, authMethod: 'PLAIN', forceAuth: true }).sendMail(
      mail(owner.address, 'x'),
    )
    await expect(refused).rejects.toMatchObject({ responseCode: 500 })
    const asks = Array.from({ length: 40 }, () => fetch(`http://127.0.0.1:${site.httpPort}/api/v1/domains`))
    expect((await Promise.all(asks)).some(({ status }) => status === 429)).toBe(true)
  } finally {
    await site.stop()
  }
})
