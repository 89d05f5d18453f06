import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '#test/support/dns/dns-server.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const VISITOR = '192.0.2.7'
const VISITOR_V6 = '2001:db8::7'
const SIGNATURE = '\r\n\r\n\0\r\nQUIT\n'
const LOCAL = `${SIGNATURE}\x20\0\0\0`
const tcp4 = (visitor: string): string => `PROXY TCP4 ${visitor} 198.51.100.1 56160 25\r\n`

let program: Program
let names: DnsServer
let owner: ApiClient
beforeAll(async () => {
  names = await startDnsServer({ 'good.example TXT': [`v=spf1 ip4:${VISITOR} ip6:${VISITOR_V6} -all`] })
  program = await startProgram({
    env: {
      ...WITHOUT_LIMITS,
      MAYFLY_SMTP_PROXIES: '127.0.0.9,10.0.0.0/8',
      MAYFLY_SMTP_PROXY_HEADER_SECONDS: '1',
      MAYFLY_SMTP_CONNECTIONS_PER_IP_MAX: '2',
      MAYFLY_DNS_SERVERS: names.address,
    },
  })
  owner = await createAddress(program.url)
})
afterAll(async () => {
  await program.stop()
  names.close()
})

/** A load balancer at 127.0.0.9, or at another address: forwards every connection after this header. */
async function balancer(header: string, localAddress = '127.0.0.9') {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const backend = connect({ port: program.smtpPort, host: '127.0.0.1', localAddress, allowHalfOpen: true })
    backend.write(Buffer.from(header, 'latin1'))
    client.pipe(backend).pipe(client)
    client.on('error', () => backend.destroy())
    backend.on('error', () => client.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { port, [Symbol.dispose]: () => void server.close() }
}

/** Connects and reads the first reply. The connection stays open until `dispose`. */
async function greeting(port: number) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  const [text] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [string | boolean]
  return { text, socket, [Symbol.dispose]: () => void socket.destroy() }
}

const metric = async (outcome: string): Promise<number> => {
  const text = await (await fetch(program.metricsUrl)).text()
  return Number(
    new RegExp(`^mayfly_smtp_connections_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
  )
}
const loggedErrors = (): number => program.stderr.filter((line) => line.includes('PROXY header')).length

/** Expects a message with this subject, this IP address and this verdict. */
async function expectArrived(subject: string, literal: string, spf: string): Promise<void> {
  const find = async () => (await owner.json('/api/v1/messages')).messages.find((each: any) => each.subject === subject)
  await expect.poll(async () => (await find())?.authentication.spf).toBe(spf)
  const raw = await (await owner.get(`/api/v1/messages/${(await find()).id}/raw`)).text()
  expect(raw).toContain(`\r\nReceived: from sender.example (${literal})\r\n`)
}

describe('behind a trusted load balancer', () => {
  test.each([
    ['of the visitor', tcp4(VISITOR), `[${VISITOR}]`, 'pass'],
    ['of another', tcp4('192.0.2.8'), '[192.0.2.8]', 'fail'],
    ['of the visitor, over IPv6', `PROXY TCP6 ${VISITOR_V6} 2001:db8::1 1 25\r\n`, `[IPv6:${VISITOR_V6}]`, 'pass'],
    ['of the load balancer itself', LOCAL, '[127.0.0.9]', 'fail'],
  ])('Received and SPF use the address %s', async (subject, header, literal, spf) => {
    using front = await balancer(header)
    await sendMail(front.port, { from: 'shop@good.example', to: owner.address, subject, text: 'x' })
    await expectArrived(subject, literal, spf)
  })

  test('each visitor has separate limits', async () => {
    using front = await balancer(tcp4('192.0.2.21'))
    using other = await balancer(tcp4('192.0.2.22'))
    using first = await greeting(front.port)
    using second = await greeting(front.port)
    using third = await greeting(front.port)
    using fourth = await greeting(other.port)
    const codes = [first, second, third, fourth].map(({ text }) => String(text).slice(0, 3))
    expect(codes).toEqual(['220', '220', '421', '220'])
  })

  test('its health checks are not logged', async () => {
    const lines = program.stderr.length
    const [gone, accepted] = [await metric('gone'), await metric('accepted')]
    using front = await balancer(LOCAL)
    using check = await greeting(front.port)
    expect(check.text).toMatch(/^220 /)
    const port = connect({ port: program.smtpPort, host: '127.0.0.1', localAddress: '127.0.0.9' })
    await once(port, 'connect')
    port.resetAndDestroy()
    await expect.poll(() => metric('gone')).toBe(gone + 1)
    expect(await metric('accepted')).toBe(accepted + 1)
    expect(program.stderr.slice(lines)).toEqual([])
  })

  test.each([
    ['no header', 'malformed', 'PROXY TCP4 nobody\r\n'],
    ['an incomplete header', 'timeout', 'PROXY TCP4 '],
  ])('%s ends the connection before the greeting, with a line in the log', async (_, why, header) => {
    const [count, lines] = [await metric(`proxy_${why}`), loggedErrors()]
    using front = await balancer(header)
    using refused = await greeting(front.port)
    expect(refused.text).toBe(false)
    expect(await metric(`proxy_${why}`)).toBe(count + 1)
    await expect.poll(loggedErrors).toBe(lines + 1)
    expect(program.stderr.at(-1)).toContain(`"proxy":"127.0.0.9","header":"${why}"`)
  })
})

describe('any other client', () => {
  test("can't use the PROXY header", async () => {
    const client = connect({ port: program.smtpPort, host: '127.0.0.1', localAddress: '127.0.0.2' })
    let received = ''
    client.setEncoding('latin1').on('data', (text) => (received += text))
    await expect.poll(() => received).toMatch(/^220 /)
    client.write(
      `${tcp4(VISITOR)}EHLO sender.example\r\nMAIL FROM:<shop@good.example>\r\nRCPT TO:<${owner.address}>\r\nDATA\r\n` +
        'Subject: forged\r\n\r\nx\r\n.\r\nQUIT\r\n',
    )
    await once(client, 'close')
    expect(received).toMatch(/\r\n500 5\.5\.1 [^]*\r\n250 2\.6\.0 Message accepted\r\n221 /)
    await expectArrived('forged', '[127.0.0.2]', 'fail')
  })
})
