import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Canaries } from '../support/fixtures/canaries.ts'
import { sendMail } from '../support/mail/mail.ts'
import { createAddress } from '../support/program/api.ts'
import { newDatabase, PostgresServer } from '../support/program/postgres.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '../support/program/program.ts'

const MAILS = 20

let server: PostgresServer
let program: Program

beforeAll(async () => {
  server = await PostgresServer.start({ durable: true, settings: { log_statement: 'all' } })
  const { url } = await newDatabase(server.url())
  const env = { MAYFLY_DATABASE_URL: url, MAYFLY_SECRET_KEY: randomBytes(32).toString('hex') }
  program = await startProgram({ env: { ...WITHOUT_LIMITS, ...env } })
})

afterAll(async () => {
  await program.stop()
  await server.remove()
})

test('no content of a message is readable in the files and the log of PostgreSQL', async () => {
  const canaries = new Canaries()
  const owner = await createAddress(program.url)
  canaries.plant('address', owner.address)
  canaries.plant('login', owner.address.replace(/@.*/, ''))
  canaries.plant('secret', owner.secret)
  for (let i = 0; i < MAILS; i++) await sendMail(program.smtpPort, canaries.mail(i, owner.address))
  const { messages } = await owner.json('/api/v1/messages')
  expect(messages).toHaveLength(MAILS)
  for (const { id, subject } of messages) {
    expect(canaries.subjects).toContain(subject)
    expect((await owner.get(`/api/v1/messages/${id}`)).status).toBe(200)
  }
  // Tables, indexes and the write-ahead log: everything that a thief of the disk or a backup has.
  const search = canaries.search()
  // Control: the name of a column is in the catalog and in logged statements.
  search.add('control', Buffer.from('sealed_body'))
  const finds = await search.inFiles(server.data)
  expect(finds.length).toBeGreaterThan(0)
  expect(finds.filter((find) => !find.startsWith('control in '))).toEqual([])
  const printed = [server.log, ...program.stdout, ...program.stderr].join('\n')
  expect([...search.in(Buffer.from(printed))]).toEqual(['control'])
})
