import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

/** Long enough for a busy machine to perform all checks meanwhile. */
const DRAIN_SECONDS = 5
/**
 * A peer that is silent for this long does not respond, in milliseconds: a connection that is not accepted may just
 * stay silent.
 */
const SILENT = 3000

let program: Program
const start = async (drainSeconds: number): Promise<void> => {
  program = await startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_DRAIN_SECONDS: String(drainSeconds) } })
}
afterEach(() => program.stop('SIGKILL'))

const readiness = async (): Promise<unknown> => {
  const response = await fetch(`${program.url}/readyz`)
  return [response.status, await response.json()]
}
const STOPPING = [503, { status: 'stopping' }]

/** Connects to SMTP. Returns false if there is no greeting. */
async function greeted(): Promise<boolean> {
  const socket = connect({ port: program.smtpPort, host: '127.0.0.1', timeout: SILENT }).on('error', () => {})
  socket.once('timeout', () => socket.destroy())
  const received = await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => [])
  socket.destroy()
  return String(received[0]).startsWith('220')
}

/** Requests a page on a new connection. Returns false if there is no response. */
const shown = (): Promise<boolean> =>
  fetch(`${program.url}/livez`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(SILENT) }).then(
    ({ ok }) => ok,
    () => false,
  )

async function everythingHeard(socket: Socket): Promise<string> {
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => (received += text))
  await once(socket, 'close')
  return received
}

test('a stop reports not ready, accepts connections for some time, and then closes', async () => {
  await start(DRAIN_SECONDS)
  expect(await readiness()).toEqual([200, { status: 'ready' }])
  const owner = await createAddress(program.url)
  const events = await owner.get('/api/v1/events')
  expect((await fetch(`${program.url}/livez`)).headers.get('connection')).toBe('keep-alive')

  const signalled = performance.now()
  const stopped = program.stop()
  await expect.poll(readiness, { interval: 5 }).toEqual(STOPPING)
  await sendMail(program.smtpPort, verificationMail(owner.address))
  expect((await owner.json('/api/v1/messages?wait=10')).messages).toMatchObject([{ code: '482913' }])
  const page = await fetch(`${program.url}/en`)
  expect([page.status, page.headers.get('connection')]).toEqual([200, 'close'])
  expect((await createAddress(program.url)).address).toContain('@')

  // No client is refused before the time is over. Open connections are notified then.
  const session = everythingHeard(connect(program.smtpPort, '127.0.0.1'))
  let refused = false
  while (!refused) refused = (await Promise.all([greeted(), shown()])).includes(false)
  expect(performance.now() - signalled).toBeGreaterThan(DRAIN_SECONDS * 1000 - 50)
  expect(await events.text()).toContain('event: message')
  expect(await session).toMatch(/^220 .*\r\n421 4\.3\.2 .*\r\n$/)
  expect(await stopped).toBe(0)
})

test('a second signal stops the process at once', async () => {
  await start(600)
  void program.stop()
  await expect.poll(readiness, { interval: 5 }).toEqual(STOPPING)
  expect(await program.stop('SIGINT')).toBe(1)
})
