import { expect, it } from 'vitest'
import { RawClient, startServer } from './testing.ts'

it('idle sessions get 421 at once, new connections none', async () => {
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

it('a mail on its way arrives, and its sender hears so', async () => {
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

it('a mail that is being stored is answered first', async () => {
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

it('a mail that does not arrive within the grace is cut off unanswered', async () => {
  const smtp = await startServer({ shutdownGrace: 30 })
  const client = await RawClient.connect(smtp.port)
  await client.startData()
  client.send('x\r\n')
  await smtp.server.close()
  expect(await client.rest()).toBe('')
  expect(smtp.deliveries).toEqual([])
  expect(smtp.logs.join()).toContain('cut off')
})

it('a client in the middle of its handshake holds up nothing', async () => {
  const smtp = await startServer()
  const client = await RawClient.connect(smtp.port)
  expect(await client.ask('STARTTLS')).toMatch(/^220/)
  await smtp.server.close()
  expect(await client.rest()).toBe('')
})

it('a taken port says so', async () => {
  await using smtp = await startServer()
  await expect(startServer({ port: smtp.port })).rejects.toThrow('EADDRINUSE')
})
