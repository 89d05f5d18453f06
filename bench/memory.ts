import { randomBytes } from 'node:crypto'
/**
 * Measures the memory of a node during and after a burst of large messages from one client: `node bench/memory.ts
 * [connections] [messages per connection]`. Environment: `ROOT`: another checkout to start; `REST`: seconds until the
 * second measurement.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { SmtpConnection } from '../test/load/client.ts'
import { createAddress } from '../test/support/program/api.ts'
import { startProgram, WITHOUT_LIMITS } from '../test/support/program/program.ts'
import { median } from './lib/figures.ts'

const MEGABYTE = 1024 * 1024
const connections = Number(process.argv[2] ?? 40)
const each = Number(process.argv[3] ?? 3)

const program = await startProgram({
  asOperator: true,
  env: { ...WITHOUT_LIMITS, MAYFLY_ADDRESS_STORAGE_BYTES: '1GB' },
  ...(process.env['ROOT'] ? { root: process.env['ROOT'] } : {}),
})
const memory = (field: string): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${program.child.pid}/status`, 'utf8'))?.[1]) / 1024

const line = `${randomBytes(57).toString('base64')}\r\n`
const body = Buffer.concat(
  Array.from({ length: Math.floor((9 * MEGABYTE) / line.length / 1000) }, () =>
    Buffer.from(randomBytes(57_000).toString('base64').replace(/.{76}/g, '$&\r\n')),
  ),
)
const mail = Buffer.concat([
  Buffer.from(
    'From: a@sender.example\r\nSubject: large\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n',
  ),
  body,
  Buffer.from('\r\n'),
])
const before = memory('VmRSS')
const codes: Record<number, number> = {}
const durations: number[] = []
const started = performance.now()
await Promise.all(
  Array.from({ length: connections }, async () => {
    const owner = await createAddress(program.url)
    for (let i = 0; i < each; i++) {
      const connection = await SmtpConnection.open({ port: program.smtpPort })
      const at = performance.now()
      const { code } = await connection.send('a@sender.example', owner.address, mail).catch(() => ({ code: 0 }))
      durations.push(performance.now() - at)
      codes[code] = (codes[code] ?? 0) + 1
      connection.quit()
      if (code !== 250 && code !== 0) await delay(500)
    }
  }),
)
const seconds = (performance.now() - started) / 1000
const peak = memory('VmHWM')
await delay(Number(process.env['REST'] ?? 40) * 1000)
console.log(
  JSON.stringify({
    connections,
    each,
    mail: mail.length,
    seconds,
    codes,
    medianMs: median(durations),
    before,
    peak,
    after: memory('VmRSS'),
  }),
)
await program.stop()
