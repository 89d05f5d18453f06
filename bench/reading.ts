/**
 * Measures how long the main thread of a node is blocked, and its peak memory, while long messages are opened seven
 * times at once by the API, the page and the frame: `node bench/reading.ts`. Environment: `ROOT`: another checkout to
 * start.
 */
import { readFileSync } from 'node:fs'
import { SmtpConnection } from '../test/load/client.ts'
import { createAddress } from '../test/support/program/api.ts'
import { startProgram, WITHOUT_LIMITS } from '../test/support/program/program.ts'
import { round, table } from './lib/figures.ts'

const AT_ONCE = 7
const monitor = new URL('./lib/loop-delay.ts', import.meta.url).pathname
const bodies: [string, string, string][] = [
  ['8 KB of text', 'text/plain', 'hello world\r\n'.repeat(600)],
  ['1.5 MB of format=flowed', 'text/plain; format=flowed', 'hello world \r\n'.repeat(107_000)],
  ['1.2 million brackets', 'text/html', `${'<'.repeat(70)}\r\n`.repeat(17_000)],
  ['9 MB of text', 'text/plain', 'hello world\r\n'.repeat(690_000 / 2)],
]

const rows: (string | number)[][] = [['message', 'opened by', 'longest block ms', 'p99 ms', 'peak MB']]
for (const [name, type, body] of bodies) {
  const program = await startProgram({
    env: { ...WITHOUT_LIMITS, NODE_OPTIONS: `--import ${monitor}`, MAYFLY_DNS_SERVERS: '127.0.0.1:9' },
    ...(process.env['ROOT'] ? { root: process.env['ROOT'] } : {}),
  })
  const delays = async (): Promise<string[]> => {
    const before = program.stderr.length
    program.child.kill('SIGUSR2')
    for (;;) {
      const line = program.stderr.slice(before).find((each) => each.startsWith('event-loop-delay'))
      if (line) return line.split(' ').slice(1)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const owner = await createAddress(program.url)
  const connection = await SmtpConnection.open({ port: program.smtpPort })
  await connection.send(
    'a@sender.example',
    owner.address,
    Buffer.from(`Subject: long\r\nContent-Type: ${type}\r\n\r\n${body}`),
  )
  const { messages } = await owner.json('/api/v1/messages?wait=30')
  const { id } = messages[0]
  const cookie = { cookie: `mayfly_secret=${owner.secret}`, authorization: `Bearer ${owner.secret}` }
  const paths = { API: `/api/v1/messages/${id}`, page: `/en?message=${id}`, frame: `/frame/message?id=${id}&view=text` }
  for (const [from, path] of Object.entries(paths)) {
    await delays()
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const response = await fetch(`${program.url}${path}`, { headers: cookie })
        await response.arrayBuffer()
      }),
    )
    const [max = '', p99 = ''] = await delays()
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${program.child.pid}/status`, 'utf8'))?.[1]
    rows.push([name, from, max, p99, round(Number(peak) / 1024)])
  }
  connection.quit()
  await program.stop()
}
console.log(table(rows))
