import { expect, it } from 'vitest'
import { RawClient, startServer } from './testing.ts'

const SMUGGLED = 'MAIL FROM:<evil@example.org>\r\nRCPT TO:<b@mayfly.test>\r\nDATA\r\nsmuggled\r\n.\r\nQUIT\r\n'

/** Sends a message that hides a second one after `impostor`, a false end of data. Returns the reply codes. */
async function smuggle(port: number, impostor: string, cut: number): Promise<string[]> {
  const client = await RawClient.connect(port)
  await client.startData()
  const text = `first${impostor}${SMUGGLED}`
  const packets = [text.slice(0, cut), text.slice(cut)]
  client.send(packets[0] ?? '')
  // The second packet is sent when the first one has left.
  await new Promise((resolve) => setImmediate(resolve))
  client.send(packets[1] ?? '')
  const replies = (await client.replies(10)).map((reply) => reply.slice(0, 3))
  client.close()
  return replies
}

it.each([
  '\n.\n',
  '\n.\r\n',
  '\r\n.\n',
  '\r.\r',
  '\r.\r\n',
  '\r\n.\r',
  '\r\n\0.\r\n',
  '\r\n.\0\r\n',
  '\r\n..\r\n',
  '\n\n.\r\n',
])('%j does not split a message, however it is cut into packets', async (impostor) => {
  await using smtp = await startServer()
  const start = 'first'.length
  for (let cut = start; cut <= start + impostor.length; cut++) {
    smtp.deliveries.length = 0
    expect(await smuggle(smtp.port, impostor, cut)).toEqual(['250', '221'])
    expect(smtp.deliveries).toHaveLength(1)
    expect(smtp.deliveries[0]?.recipients).toEqual(['a@mayfly.test'])
    expect(smtp.deliveries[0]?.message).toContain('smuggled')
    // No later server finds a second message either, because no bare CR or LF is left.
    expect(smtp.deliveries[0]?.message.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  }
})

it('recognizes the true end at every cut', async () => {
  await using smtp = await startServer()
  for (let cut = 5; cut <= 10; cut++) {
    smtp.deliveries.length = 0
    expect(await smuggle(smtp.port, '\r\n.\r\n', cut)).toEqual(['250', '250', '250', '354', '250', '221'])
    expect(smtp.deliveries.map(({ message }) => message)).toEqual(['\r\nfirst\r\n', '\r\nsmuggled\r\n'])
  }
})

it.each([
  ['a bare LF ends the session', 'EHLO x\nMAIL FROM:<s@example.org>\r\n', /^521 5\.5\.2/, true],
  ['a bare LF after a CRLF line ends the session', 'EHLO x\r\nNOOP\n', /^521 5\.5\.2/, true],
  ['a bare CR is a syntax error', 'NOOP\rNOOP\r\n', /^500 5\.5\.2/, false],
  ['an additional CR before CRLF is a syntax error', 'NOOP\r\r\n', /^500 5\.5\.2/, false],
])('in commands, %s', async (_, bytes, reply, closes) => {
  await using smtp = await startServer()
  const client = await RawClient.connect(smtp.port)
  client.send(bytes)
  if (bytes.startsWith('EHLO x\r')) await client.reply()
  expect(await client.reply()).toMatch(reply)
  if (closes) expect(await client.rest()).toBe('')
  else expect(await client.ask('NOOP')).toMatch(/^250/)
  client.close()
})

it('refuses a client that sends before the greeting', async () => {
  await using smtp = await startServer()
  const early = await RawClient.connect(smtp.port, { greeting: false })
  early.send('EHLO x\r\n')
  expect(await early.reply()).toMatch(/^554 5\.5\.1/)
  expect(await early.rest()).toBe('')
  expect(smtp.counts).toContain('smtp_early_talkers')
})
