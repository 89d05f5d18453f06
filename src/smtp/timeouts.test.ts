import { once } from 'node:events'
import { expect, it } from 'vitest'
import { MemoryBudget } from '#core/memory-budget.ts'
import { fakeReceive, RawClient, startServer, until } from './testing.ts'

it('ends the session of a client that sends nothing', async () => {
  await using smtp = await startServer({ commandTimeout: 150 })
  const client = await RawClient.connect(smtp.port)
  expect(await client.reply()).toMatch(/^421 4\.4\.2/)
  expect(await client.rest()).toBe('')
  expect(smtp.counts).toContain('smtp_timeouts command')
})

it('does not extend the timeout for a command that arrives byte by byte', async () => {
  await using smtp = await startServer({ commandTimeout: 150 })
  const client = await RawClient.connect(smtp.port)
  const trickle = setInterval(() => client.send('N'), 2)
  expect(await client.reply()).toMatch(/^421 4\.4\.2/)
  clearInterval(trickle)
})

it('closes the connection if the TLS handshake does not start', async () => {
  await using smtp = await startServer({ commandTimeout: 150 })
  const client = await RawClient.connect(smtp.port)
  expect(await client.ask('STARTTLS')).toMatch(/^220/)
  expect(await client.rest()).toBe('')
  expect(smtp.counts).toContain('smtp_timeouts handshake')
})

it.each([
  ['silence', { dataTimeout: 20 }, 'data_idle', /^421 4\.4\.2 Timeout/],
  ['a slow sender', { slowSenderGrace: 30, minBytesPerSecond: 1e6 }, 'data_slow', /^421 4\.4\.2 Data comes/],
  ['no end', { maxDataTime: 30 }, 'data_long', /^421 4\.4\.2 Data comes/],
])('ends DATA with %s and delivers nothing', async (_, options, count, reply) => {
  await using smtp = await startServer(options)
  const client = await RawClient.connect(smtp.port)
  await client.startData()
  const trickle = setInterval(() => client.send(count === 'data_idle' ? '' : 'x\r\n'), 2)
  expect(await client.reply()).toMatch(reply)
  clearInterval(trickle)
  client.close()
  expect(smtp.counts).toContain(`smtp_timeouts ${count}`)
  expect(smtp.deliveries).toEqual([])
})

it('does not end DATA that keeps arriving', async () => {
  await using smtp = await startServer({ dataTimeout: 300, slowSenderGrace: 300, minBytesPerSecond: 10 })
  const client = await RawClient.connect(smtp.port)
  await client.startData()
  const trickle = setInterval(() => client.send('x\r\n'), 5)
  // Two other clients reach the timeout, one after the other.
  for (let i = 0; i < 2; i++) {
    const silent = await RawClient.connect(smtp.port)
    await silent.startData()
    expect(await silent.reply()).toMatch(/^421/)
  }
  clearInterval(trickle)
  expect(await client.ask('.')).toMatch(/^250/)
  client.close()
})

it('does not count the time of the delivery', async () => {
  const delivery = Promise.withResolvers<void>()
  await using smtp = await startServer({ commandTimeout: 150 }, { deliver: () => delivery.promise })
  const client = await RawClient.connect(smtp.port)
  await client.startData()
  client.send('x\r\n.\r\n')
  // Meanwhile another client reaches the timeout.
  const idle = await RawClient.connect(smtp.port)
  expect(await idle.reply()).toMatch(/^421/)
  delivery.resolve()
  expect(await client.reply()).toMatch(/^250/)
})

it('stores a message that waits for memory although its client closes its side', async () => {
  const memory = new MemoryBudget(10)
  await using smtp = await startServer(
    {},
    { deliver: async (_envelope, _recipients, _raw, signal) => void (await memory.lend(10, { signal })) },
  )
  const giveBack = await memory.lend(10)
  const client = await RawClient.connect(smtp.port)
  await client.startData()
  client.send('x\r\n.\r\n')
  await until(() => smtp.gauges['smtp_buffered_bytes'] !== 0)
  client.socket.allowHalfOpen = true
  client.socket.end()
  await once(client.socket, 'finish')
  giveBack()
  expect(await client.reply()).toMatch(/^250 /)
})

it('closes the connection of a client that keeps its side open after the last reply', async () => {
  await using smtp = await startServer({ linger: 150 })
  const client = await RawClient.connect(smtp.port)
  client.socket.allowHalfOpen = true
  expect(await client.ask('QUIT')).toMatch(/^221/)
  expect(smtp.gauges['smtp_connections_open']).toBe(1)
  await until(() => smtp.gauges['smtp_connections_open'] === 0)
  client.close()
})

it('closes the connection of a client that closes its side before the greeting', async () => {
  await using smtp = await startServer()
  const client = await RawClient.connect(smtp.port, { greeting: false })
  client.socket.allowHalfOpen = true
  client.socket.end()
  expect(await client.rest()).toBe('')
  await until(() => smtp.gauges['smtp_connections_open'] === 0)
})

it('ends a session that lasts too long without a message, however many commands it sends', async () => {
  await using smtp = await startServer({ maxTimeWithoutMessage: 300, maxCommands: 1e9 })
  const client = await RawClient.connect(smtp.port)
  for (let reply = ''; !reply.startsWith('421');) {
    reply = await client.ask('NOOP')
    expect(reply).toMatch(/^(?:250|421 4\.4\.2)/)
  }
  expect(smtp.counts).toContain('smtp_timeouts command')
})

it('does not end a session that sends messages, or waits for the server, because it lasts long', async () => {
  const sleep = (time: number) => new Promise((resolve) => setTimeout(resolve, time))
  const { receive } = fakeReceive()
  const accept: typeof receive.accept = async (name) => (await sleep(700), await receive.accept(name))
  await using smtp = await startServer({ maxTimeWithoutMessage: 600 }, { accept })
  const client = await RawClient.connect(smtp.port)
  for (let i = 0; i < 2; i++) {
    await client.startData()
    expect(await client.ask('x\r\n.')).toMatch(/^250/)
  }
  client.close()
})
