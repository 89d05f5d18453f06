import { Ledger } from '../test/load/ledger.ts'
import { runLoad } from '../test/load/load.ts'
import { loadMails } from '../test/load/mail.ts'
import { createAddress } from '../test/support/program/api.ts'
import { startProgram } from '../test/support/program/program.ts'
import { round, table } from './lib/figures.ts'
import { latencies } from './lib/latency.ts'
import { cpuSeconds, idle } from './lib/process.ts'
import { RAISED } from './servers/mayfly.ts'

const MAILS = 20
const BYTES = 100 * 1024
/** A page that is opened follows its message, as in a browser. */
const WAYS: Record<string, (id: string) => string[]> = {
  API: (id) => [`/api/v1/messages/${id}`],
  'click in the inbox': (id) => [`/en/_payload.json?message=${id}`, `/frame/message?id=${id}`],
  'the payload of the click': (id) => [`/en/_payload.json?message=${id}`],
  'the frame of the click': (id) => [`/frame/message?id=${id}`],
  'whole page': (id) => [`/en?message=${id}`],
}

/**
 * Measures how long it takes to open messages of 100 KB, one at a time: by the API, by a click in the inbox (payload of
 * the page, then the frame with the message), and as a page. `ROOT` selects another checkout to start.
 */
export async function opening({ reads }: { reads: number }): Promise<string> {
  const root = process.env['ROOT']
  const program = await startProgram({
    asOperator: true,
    env: { ...RAISED, MAYFLY_DNS_SERVERS: '127.0.0.1:9' },
    ...(root === undefined ? {} : { root }),
  })
  try {
    const pid = program.child.pid ?? 0
    const owner = await createAddress(program.url)
    await runLoad({
      port: program.smtpPort,
      connections: 1,
      perConnection: MAILS,
      messages: MAILS,
      seconds: 60,
      recipients: [owner.address],
      mails: loadMails(BYTES, 'opening'),
      ledger: new Ledger(),
    })
    const { messages } = await owner.json<{ messages: { id: string }[] }>('/api/v1/messages')
    await idle(pid)
    const headers = { cookie: `mayfly_secret=${owner.secret}`, authorization: `Bearer ${owner.secret}` }
    const rows: string[][] = []
    for (const [name, paths] of Object.entries(WAYS)) {
      const open = async (i: number): Promise<void> => {
        for (const path of paths(messages[i % messages.length]?.id ?? '')) {
          const response = await fetch(program.url + path, { headers })
          await response.arrayBuffer()
          if (!response.ok) throw new Error(`${path} responded with ${response.status}`)
        }
      }
      await latencies(2 * MAILS, 1, open)
      const before = cpuSeconds(pid)
      const { p50, p99 } = await latencies(reads, 1, open)
      const cpu = ((cpuSeconds(pid) - before) / reads) * 1000
      rows.push([name, round(p50, 1), round(p99, 1), round(cpu, 1)])
    }
    return table([['opened by', 'p50 ms', 'p99 ms', 'CPU ms'], ...rows])
  } finally {
    await program.stop()
  }
}
