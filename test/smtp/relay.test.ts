import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type SiteClient, siteClient, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { parsed } from '#test/support/mail/outbox.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const received: { to: string; raw: Buffer }[] = []
const relay = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  logger: false,
  onRcptTo({ address }, _session, callback) {
    const refused = Object.assign(new Error(`<${address}> is unknown here`), { responseCode: 550 })
    callback(address.startsWith('unknown') ? refused : undefined)
  },
  onData(stream, { envelope }, callback) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      received.push({ to: envelope.rcptTo[0]?.address ?? '', raw: Buffer.concat(chunks) })
      callback()
    })
  },
})

let program: Program
beforeAll(async () => {
  await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve))
  const { port } = relay.server.address() as AddressInfo
  const env = { MAYFLY_OUTBOUND_URL: `smtp://127.0.0.1:${port}`, MAYFLY_OUTBOUND_FROM: 'hello@mayfly.example' }
  program = await startProgram({ env: { ...WITHOUT_LIMITS, ...env } })
})
afterAll(async () => {
  await program.stop()
  await new Promise<void>((resolve) => relay.close(resolve))
})

async function ask(email: string): Promise<SiteClient> {
  await subscribeIn(program, email)
  const client = siteClient(program)
  await client.send('POST', '/api/v1/account/sign-in', { email, lang: 'ar' })
  return client
}

test('sends emails through the relay', async () => {
  const client = await ask('ann@example.com')
  await vi.waitFor(() => expect(received).toHaveLength(1), PATIENCE)
  expect(received[0]!.to).toBe('ann@example.com')
  const { from, link, html } = await parsed('', received[0]!.raw)
  expect(from).toEqual({ name: 'Mayfly', address: 'hello@mayfly.example' })
  expect(html).toContain('dir="rtl"')
  const token = link.searchParams.get('link')
  expect((await client.send('POST', '/api/v1/account/session', { token })).status).toBe(204)
})

test('gives up what the relay refuses, and the log names nobody', async () => {
  await ask('unknown-canary@example.com')
  const line = await vi.waitFor(() => {
    const found = program.stderr.find((each) => each.includes('email given up'))
    expect(found).toBeDefined()
    return found!
  }, PATIENCE)
  expect(JSON.parse(line)).toMatchObject({ kind: 'sign-in', responseCode: 550, command: 'RCPT TO' })
  expect(program.stderr.join('\n')).not.toContain('canary')
})
