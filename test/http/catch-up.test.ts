import { expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { startProgram } from '#test/support/program/program.ts'

const MAILS = 60

test('a stream catches up with more data than a reader may leave unread', async () => {
  const program = await startProgram({
    env: {
      MAYFLY_API_REQUESTS_PER_SECOND: '100000',
      MAYFLY_STREAM_BUFFER_MAX_BYTES: '10000',
      MAYFLY_SMTP_SESSION_MESSAGES_MAX: '1000',
    },
  })
  const owner = await createAddress(program.url)
  for (let i = 0; i < MAILS; i++)
    await sendMail(program.smtpPort, { to: owner.address, subject: `${i} ${'long '.repeat(100)}`, text: 'x' })
  await expect.poll(async () => (await owner.json('/api/v1/messages')).messages.length).toBe(50)
  const response = await owner.get('/api/v1/events', { 'last-event-id': '0' })
  const seen = new Set<string>()
  let text = ''
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part
    for (const [, subject] of text.matchAll(/"subject":"(\d+) /g)) seen.add(subject!)
    if (seen.size === MAILS) break
  }
  expect(seen.size).toBe(MAILS)
  expect(await program.stop()).toBe(0)
})

test('a large message to many recipients uses memory for a few at a time', async () => {
  const program = await startProgram({
    env: { MAYFLY_API_REQUESTS_PER_SECOND: '100000', MAYFLY_ADDRESS_CREATE_BURST: '100' },
  })
  const owners = await Promise.all(Array.from({ length: 12 }, () => createAddress(program.url)))
  await sendMail(program.smtpPort, {
    to: owners.map(({ address }) => address),
    subject: 'large',
    text: 'x'.repeat(9_000_000).replace(/.{70}/g, '$&\n'),
  })
  for (const owner of owners)
    expect((await owner.json('/api/v1/messages')).messages).toMatchObject([{ subject: 'large' }])
  await program.stop()
})
