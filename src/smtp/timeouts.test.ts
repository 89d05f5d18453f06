import { expect, it } from 'vitest'
import { RawClient, startServer, until } from './testing.ts'

it('a client that says nothing is sent away', async () => {
  await using smtp = await startServer({ commandTimeout: 150 })
  const client = await RawClient.connect(smtp.port)
  expect(await client.reply()).toMatch(/^421 4\.4\.2/)
  expect(await client.rest()).toBe('')
  expect(smtp.counts).toContain('smtp_timeouts command')
})

it('a command that never ends gains no time by its trickle', async () => {
  await using smtp = await startServer({ commandTimeout: 150 })
  const client = await RawClient.connect(smtp.port)
  const trickle = setInterval(() => client.send('N'), 2)
  expect(await client.reply()).toMatch(/^421 4\.4\.2/)
  clearInterval(trickle)
})

it('a handshake that never comes ends the connection', async () => {
  await using smtp = await startServer({ commandTimeout: 150 })
  const client = await RawClient.connect(smtp.port)
  expect(await client.ask('STARTTLS')).toMatch(/^220/)
  expect(await client.rest()).toBe('')
  expect(smtp.counts).toContain('smtp_timeouts handshake')
})

it.each([
  ['silence', { dataTimeout: 20 }, 'data_idle', /^421 4\.4\.2 Timeout/],
  ['a trickle', { slowSenderGrace: 30, minBytesPerSecond: 1e6 }, 'data_slow', /^421 4\.4\.2 Data comes/],
  ['no end', { maxDataTime: 30 }, 'data_long', /^421 4\.4\.2 Data comes/],
])('DATA with %s ends, and nothing is delivered', async (_, options, count, reply) => {
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

it('DATA that keeps moving may go on', async () => {
  await using smtp = await startServer({ dataTimeout: 300, slowSenderGrace: 300, minBytesPerSecond: 10 })
  const client = await RawClient.connect(smtp.port)
  await client.startData()
  const trickle = setInterval(() => client.send('x\r\n'), 5)
  // Two others are silent, one after the other, for their whole time.
  for (let i = 0; i < 2; i++) {
    const silent = await RawClient.connect(smtp.port)
    await silent.startData()
    expect(await silent.reply()).toMatch(/^421/)
  }
  clearInterval(trickle)
  expect(await client.ask('.')).toMatch(/^250/)
  client.close()
})

it('the time that delivery takes is not the client’s', async () => {
  const delivery = Promise.withResolvers<void>()
  await using smtp = await startServer({ commandTimeout: 150 }, { deliver: () => delivery.promise })
  const client = await RawClient.connect(smtp.port)
  await client.startData()
  client.send('x\r\n.\r\n')
  // Another client's whole time-out passes meanwhile.
  const idle = await RawClient.connect(smtp.port)
  expect(await idle.reply()).toMatch(/^421/)
  delivery.resolve()
  expect(await client.reply()).toMatch(/^250/)
})

it('a client that keeps its side open after our end is cut off', async () => {
  await using smtp = await startServer({ linger: 150 })
  const client = await RawClient.connect(smtp.port)
  client.socket.allowHalfOpen = true
  expect(await client.ask('QUIT')).toMatch(/^221/)
  expect(smtp.gauges['smtp_connections_open']).toBe(1)
  await until(() => smtp.gauges['smtp_connections_open'] === 0)
  client.close()
})
