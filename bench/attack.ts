import { SmtpConnection } from '../test/load/client.ts'
import { percentile } from '../test/load/percentile.ts'
import { sendMail } from '../test/support/mail/mail.ts'
/**
 * Measures how long a visitor waits for new messages while an attacker sends messages that are slow to parse: 3,900
 * nested `message/rfc822` headers in 121 KB, sent without a pause on one connection after another. `node
 * bench/attack.ts [messages of the visitor]`. Environment: `ROOT`: another checkout to start.
 */
import { createAddress } from '../test/support/program/api.ts'
import { startProgram, WITHOUT_LIMITS } from '../test/support/program/program.ts'
import { round, table } from './lib/figures.ts'

const SENDER = 'a@sender.example'
const mails = Number(process.argv[2] ?? 100)
const program = await startProgram({
  asOperator: true,
  env: { ...WITHOUT_LIMITS, MAYFLY_ADDRESS_STORAGE_BYTES: '1GB', MAYFLY_DNS_SERVERS: '127.0.0.1:9' },
  ...(process.env['ROOT'] ? { root: process.env['ROOT'] } : {}),
})
const victim = await createAddress(program.url)
const nested = Buffer.from(`Subject: slow\r\n${'Content-Type: message/rfc822\r\n\r\n'.repeat(3900)}x\r\n`)
let sent = 0
let attacking = true
async function attack(): Promise<void> {
  while (attacking) {
    const attacker = await createAddress(program.url)
    const connection = await SmtpConnection.open({ port: program.smtpPort })
    for (let i = 0; i < 50 && attacking; i++) {
      if ((await connection.send(SENDER, attacker.address, nested)).code === 250) sent++
    }
    connection.quit()
  }
}

/** Returns the milliseconds from the 250 of each message until the visitor has it with its code, sorted. */
async function measureDelays(): Promise<number[]> {
  const delays: number[] = []
  let after = ''
  for (let i = 0; i < mails; i++) {
    await sendMail(program.smtpPort, { to: victim.address, subject: `message ${i}`, text: 'Your code is 482913' })
    const accepted = performance.now()
    const { messages } = await victim.json(`/api/v1/messages?wait=60${after}`)
    delays.push(performance.now() - accepted)
    after = `&after=${messages[0].id}`
  }
  return delays.toSorted((a, b) => a - b)
}

await measureDelays()
const quiet = await measureDelays()
const started = performance.now()
const attackers = Promise.all([attack(), attack()])
const attacked = await measureDelays()
const rate = (sent / (performance.now() - started)) * 1000
attacking = false
await attackers
await program.stop()
const row = (name: string, delays: number[]) => [
  name,
  ...[0.5, 0.99, 1].map((share) => round(percentile(delays, share))),
]
console.log(
  table([['ms until the message is there', 'p50', 'p99', 'max'], row('quiet', quiet), row('attacked', attacked)]),
)
console.log(`${round(rate)} slow messages per second were received meanwhile`)
