import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { runMayfly } from '#test/support/program/command.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

let program: Program
beforeAll(async () => {
  program = await startProgram({ env: WITHOUT_LIMITS })
})
afterAll(() => program.stop())

test('addresses remove deletes an address of a running service, and keeps its name', async () => {
  const client = await createAddress(program.url)
  const stream = await client.get('/api/v1/events')
  const ended = stream.text()
  await sendMail(program.smtpPort, { to: client.address, subject: 'Hello', text: 'Hello' })

  const remove = () =>
    runMayfly(['addresses', 'remove', client.address, '--days', '2'], { MAYFLY_DATA_DIR: program.dataDir })
  const { status, stdout, stderr } = await remove()
  expect([status, stdout.split('\n')]).toEqual([
    0,
    ['The address and its messages are deleted', expect.stringMatching(/^Nobody can create it before 20\S+Z$/), ''],
  ])
  expect(stderr).toContain('the operator withdrew an address')
  expect(stderr).not.toContain(client.address.split('@')[0])

  expect((await client.get('/api/v1/messages')).status).toBe(401)
  await expect(sendMail(program.smtpPort, { to: client.address, subject: 'Hello', text: 'Hello' })).rejects.toThrow(
    /550/,
  )
  const [login, domain] = client.address.split('@')
  const again = await fetch(`${program.url}/api/v1/addresses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, domain }),
  })
  expect(again.status).toBe(409)
  // With SQLite, the service notices at its next look at the stream.
  expect(await ended).toContain('event:')
  expect((await remove()).stdout).toContain('There is no such address')
})
