import { expect, it } from 'vitest'
import { RawClient, startServer } from './testing.ts'

it('ends idle sessions with 421 at once and accepts no new connections', async () => {
  const smtp = await startServer()
  const clients = await Promise.all(Array.from({ length: 5 }, () => RawClient.connect(smtp.port)))
  await clients[1]?.ask('EHLO x')
  await clients[2]?.ask('EHLO x')
  await clients[2]?.ask('MAIL FROM:<>')
  clients[3]?.send('half a comm')
  await smtp.server.close()
  for (const client of clients) {
    expect(await client.reply()).toMatch(/^421 4\.3\.2/)
  }
  const late = await RawClient.connect(smtp.port)
  expect(await late.rest()).toBe('')
})

it('accepts a message that is being transferred', async () => {
  const smtp = await startServer()
  const client = await RawClient.connect(smtp.port)
  await client.startData()
  client.send('Subject: x\r\n')
  const closed = smtp.server.close()
  client.send('\r\nbody\r\n.\r\nMAIL FROM:<>\r\n')
  expect(await client.replies(3)).toEqual([expect.stringMatching(/^250/), expect.stringMatching(/^421 4\.3\.2/)])
  await closed
  expect(smtp.deliveries).toHaveLength(1)
})

it('replies to a message that is being stored before it ends the session', async () => {
  const delivery = Promise.withResolvers<void>()
  const smtp = await startServer({}, { deliver: () => delivery.promise })
  const client = await RawClient.connect(smtp.port)
  await client.startData()
  client.send('x\r\n.\r\n')
  const other = await RawClient.connect(smtp.port)
  const closed = smtp.server.close()
  expect(await other.reply()).toMatch(/^421/)
  delivery.resolve()
  expect(await client.replies(3)).toEqual([expect.stringMatching(/^250/), expect.stringMatching(/^421/)])
  await closed
})

it('closes a session without a reply if its message does not arrive within the grace period', async () => {
  const smtp = await startServer({ shutdownGrace: 30 })
  const client = await RawClient.connect(smtp.port)
  await client.startData()
  client.send('x\r\n')
  await smtp.server.close()
  expect(await client.rest()).toBe('')
  expect(smtp.deliveries).toEqual([])
  expect(smtp.logs.join()).toContain('sessions closed at the end of the grace period')
})

it('does not wait for a client in the middle of a TLS handshake', async () => {
  const smtp = await startServer()
  const client = await RawClient.connect(smtp.port)
  expect(await client.ask('STARTTLS')).toMatch(/^220/)
  await smtp.server.close()
  expect(await client.rest()).toBe('')
})

it('listen rejects with EADDRINUSE if the port is taken', async () => {
  await using smtp = await startServer()
  await expect(startServer({ port: smtp.port })).rejects.toThrow('EADDRINUSE')
})
