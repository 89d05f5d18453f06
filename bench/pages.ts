import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { newSecret } from '../src/core/mailbox/secret.ts'
import { deriveKeys } from '../src/mail/sealing/keys.ts'
import { createOpener } from '../src/mail/sealing/open.ts'
import { createSeal } from '../src/mail/sealing/seal.ts'
import { Ledger } from '../test/load/ledger.ts'
import { runLoad } from '../test/load/load.ts'
import { loadMails } from '../test/load/mail.ts'
import { launchBrowser, newVisit, USER_AGENT, visitor } from './lib/browser.ts'
import { round, table } from './lib/figures.ts'
import { cpuSeconds, idle, runTool } from './lib/process.ts'
import { startMayfly } from './servers/mayfly.ts'

const AUTOCANNON = join(import.meta.dirname, 'node_modules/autocannon/autocannon.js')
const AGENT = `user-agent=${USER_AGENT}`
const MAILS = 20

const SUMMARY_BYTES = 400
/** Inboxes whose lists are opened. */
const INBOXES = 100

/**
 * Returns the milliseconds of CPU to open the list of an inbox, by a first request and by a later one. Its messages arrived
 * at different times, so each needs its own key agreement.
 */
function listCosts(): { first: number; later: number } {
  const seal = createSeal()
  const opener = createOpener(0)
  const place = {
    kind: 'summary',
    addressId: 'CYl5ZFrH27VM8WxkgAQ4dg',
    messageId: '0000000000',
    at: Date.now(),
  } as const
  const inboxes = Array.from({ length: INBOXES }, () => {
    const secret = newSecret()
    const { publicKey } = deriveKeys(secret)!
    return { secret, boxes: Array.from({ length: MAILS }, () => seal(publicKey, place, randomBytes(SUMMARY_BYTES))) }
  })
  const openAll = (): number => {
    const before = process.cpuUsage()
    for (const { secret, boxes } of inboxes) {
      const keys = deriveKeys(secret)!
      for (const box of boxes) opener.open(keys, place, box)
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / INBOXES
  }
  return { first: openAll(), later: openAll() }
}

/**
 * Measures home pages per second of one process over keep-alive connections, for a visitor with 20 messages and for a
 * first visit.
 */
export async function pages({ seconds }: { seconds: number }): Promise<string> {
  const server = await startMayfly(0)
  const browser = await launchBrowser()
  try {
    const page = await newVisit(browser)
    await page.goto(server.url)
    const { address, cookie } = await visitor(page, server.url)
    await runLoad({
      port: server.smtpPort,
      connections: 1,
      perConnection: MAILS,
      messages: MAILS,
      seconds: 60,
      recipients: [address],
      mails: loadMails(8192, 'pages'),
      ledger: new Ledger(),
    })
    await browser.close()
    await idle(server.pid)
    const rows: string[][] = []
    for (const [name, headers] of [
      ['returning, 20 messages', [`cookie=${cookie}`]],
      ['first visit', []],
    ] as const) {
      for (const path of ['/', '/en']) {
        const flags = ['-j', '-c', '20', '-d', `${seconds}`, ...[AGENT, ...headers].flatMap((header) => ['-H', header])]
        await runTool([AUTOCANNON, ...flags.with(4, '2'), server.url + path])
        const before = cpuSeconds(server.pid)
        const result = JSON.parse(await runTool([AUTOCANNON, ...flags, server.url + path]))
        const cpu = cpuSeconds(server.pid) - before
        const succeeded = result['2xx']
        if (result.non2xx > 0) throw new Error(`${result.non2xx} requests failed, ${succeeded} succeeded`)
        rows.push([
          name,
          path,
          round(succeeded / result.duration),
          round((cpu / succeeded) * 1000, 2),
          `${result.latency.p50} / ${result.latency.p99}`,
        ])
      }
    }
    const { first, later } = listCosts()
    return [
      table([['visitor', 'page', 'pages per second', 'CPU ms per page', 'p50 / p99 ms'], ...rows]),
      'Opening a list whose messages arrived at different times (the messages of the pages above arrived together):',
      table([
        ['request', 'CPU ms per list'],
        ['first', round(first, 2)],
        ['later', round(later, 2)],
      ]),
    ].join('\n\n')
  } finally {
    await browser.close()
    await server.stop()
  }
}
