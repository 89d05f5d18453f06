import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { call, createAddress } from '#test/support/program/api.ts'
import { startProgram } from '#test/support/program/program.ts'
import { rawRequest, sendRaw } from '#test/support/program/raw.ts'

/** Sends SMTP lines one by one and waits for each reply. */
async function talk(port: number, lines: string[]): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'data')
  for (const line of lines) {
    socket.write(`${line}\r\n`)
    await once(socket, 'data')
  }
  socket.destroy()
}

test('log and metrics contain no address, sender, subject, body, code or secret', async () => {
  const program = await startProgram({
    env: { MAYFLY_LOG_LEVEL: 'debug', MAYFLY_API_REQUESTS_PER_SECOND: '1000', MAYFLY_DOMAINS: 'canary-domain.test' },
  })
  const { url, smtpPort } = program
  const owner = await createAddress(url, { login: 'canary-login' })
  await sendMail(smtpPort, {
    from: '"canary-sender" <canary-from@canary-origin.example>',
    to: 'canary-login+canary-tag@canary-domain.test',
    subject: 'canary-subject',
    text: 'canary-body\n\nYour verification code is 918273',
    attachments: [{ filename: 'canary-file.txt', content: 'canary-content' }],
  })
  const { messages } = await owner.json('/api/v1/messages?wait=10&subject=canary-subject&from=canary-from')
  expect(messages[0].code).toBe('918273')
  const { id } = messages[0]
  for (const path of [`/${id}`, `/${id}/raw`, `/${id}/attachments/0`, `/${id}/attachments/9`, '/canary-id'])
    await owner.get(`/api/v1/messages${path}`)
  // Failures are logged by code, not by content.
  await fetch(`${url}/canary-path?secret=${owner.secret}`)
  const targets = [
    `//[canary-host?secret=${owner.secret}`,
    `/%zz?canary=${owner.secret}`,
    'http://[canary',
    '/canary\u0000',
  ]
  for (const target of targets)
    await sendRaw(program.httpPort, rawRequest('GET', target, `Cookie: canary=${owner.secret}`, 'User-Agent: canary'))
  await sendRaw(program.httpPort, `CANARY /canary HTTP/1.1\r\nX-Canary: ${owner.secret}\r\n\r\n`)
  await fetch(`${url}/actions/create`, {
    method: 'POST',
    body: 'canary=1',
    headers: { origin: 'https://canary.example' },
  })
  const form = {
    name: 'canary-name',
    reason: 'other',
    email: 'canary@canary-origin.example',
    message: 'canary-message',
  }
  for (const each of [form, { ...form, email: 'canary' }, { ...form, website: 'canary-trap' }]) {
    const headers = { origin: url, 'content-type': 'application/json', 'user-agent': 'canary-agent' }
    await fetch(`${url}/api/v1/support`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...each, kind: 'contact' }),
    })
  }
  await fetch(`${url}/proxy?u=canary&e=1&s=canary`)
  await fetch(`${url}/frame/message?id=${id}&images=1`, { headers: { cookie: `mayfly_secret=${owner.secret}` } })
  const stream = await owner.get('/api/v1/events', { 'last-event-id': 'canary' })
  await stream.body?.cancel()
  await call(url, 'GET', `/api/v1/address?secret=${owner.secret}`, undefined, 'canary-secret')
  await call(url, 'POST', '/api/v1/addresses', { login: 'canary login!' })
  await call(url, 'POST', '/api/v1/addresses', { 'canary-field': 1 })
  await talk(smtpPort, [
    'HELO canary-helo.example',
    'MAIL FROM:<canary-bad@canary-origin.example>',
    'RCPT TO:<canary-unknown@canary-domain.test>',
    'RCPT TO:<canary-relay@canary-foreign.example>',
    'CANARY-COMMAND canary-argument',
    'VRFY canary-login@canary-domain.test',
  ])
  await sendMail(smtpPort, {
    envelope: { from: 'canary-mime@canary-origin.example', to: owner.address },
    raw: 'Subject: =?canary-charset?Q?canary-broken?=\r\nContent-Type: multipart/canary-type\r\n\r\ncanary-mess',
  })
  await owner.json('/api/v1/messages?wait=10&subject=broken')
  const metrics = await (await fetch(program.metricsUrl)).text()
  await owner.send('DELETE', '/api/v1/address')
  expect(await program.stop()).toBe(0)

  const log = program.stderr.join('\n')
  for (const message of ['listening', 'stopping', 'stopped'])
    expect(program.stderr.filter((line) => line.includes(`"msg":"${message}"`))).toHaveLength(1)
  // None of the requests above is an error of the service.
  expect(log).not.toMatch(/"level":"(?:warn|error)"/)
  for (const line of program.stderr) expect(() => JSON.parse(line)).not.toThrow()
  for (const text of [log, program.stdout.slice(program.stdout.indexOf('Open')).join('\n'), metrics]) {
    expect(text.replaceAll('canary-domain.test', '')).not.toMatch(/canary/i)
    // Not as part of a longer number, because there are many.
    expect(text).not.toMatch(/(?<![\d.])918273(?!\d)/)
    expect(text).not.toContain(owner.secret)
    expect(text).not.toContain(id)
  }
  expect(metrics).toMatch(/^mayfly_\w+/m)
})
