import type { Page } from 'playwright-core'
import { SmtpConnection } from '../test/load/client.ts'
import { LOAD_SENDER, loadMails } from '../test/load/mail.ts'
import { percentile } from '../test/load/percentile.ts'
import { launchBrowser, newVisit, visitor } from './lib/browser.ts'
import { round, table } from './lib/figures.ts'
import { startMayfly } from './servers/mayfly.ts'

/**
 * The times at which messages were first seen, by id, in milliseconds of the clock of the browser or of this process.
 */
type Sightings = Record<string, number>

/** Messages per session, below the limit of the receiver. */
const PER_CONNECTION = 50

declare global {
  var sightings: Sightings
}

/** Records when an id appears in the text of the page. */
function watchPage(pattern: string): void {
  globalThis.sightings = {}
  const search = (text: string | null): void => {
    for (const [id] of (text ?? '').matchAll(new RegExp(pattern, 'g'))) {
      globalThis.sightings[id] ??= performance.timeOrigin + performance.now()
    }
  }
  new MutationObserver((changes) => {
    for (const { addedNodes, target, type } of changes) {
      if (type === 'characterData') search(target.textContent)
      for (const node of addedNodes) search(node.textContent)
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true })
}

const now = (): number => performance.timeOrigin + performance.now()

/**
 * Returns the difference between the clock of the page and that of this process. The error is half of the fastest round
 * trip.
 */
async function clockOffset(page: Page): Promise<{ offset: number; error: number }> {
  let best = { offset: 0, error: Infinity }
  for (let i = 0; i < 50; i++) {
    const before = now()
    const pageTime = await page.evaluate(() => performance.timeOrigin + performance.now())
    const after = now()
    if ((after - before) / 2 < best.error)
      best = { offset: (before + after) / 2 - pageTime, error: (after - before) / 2 }
  }
  return best
}

async function watchStream(
  url: string,
  secret: string,
  pattern: RegExp,
  seen: (id: string) => void,
  signal: AbortSignal,
) {
  const response = await fetch(`${url}/api/v1/events`, { headers: { authorization: `Bearer ${secret}` }, signal })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    for (const [id] of text.matchAll(pattern)) seen(id)
    text = text.slice(text.lastIndexOf('\n') + 1)
  }
}

/**
 * Measures the time from the 250 to the row in an open page and to the event in the live stream, one message at a time.
 */
export async function delay({ mails: count }: { mails: number }): Promise<string> {
  const server = await startMayfly(0)
  const browser = await launchBrowser()
  const stop = new AbortController()
  try {
    const page = await newVisit(browser)
    await page.goto(server.url)
    const { address, secret } = await visitor(page, server.url)
    const pattern = 'delay-+\\d{8}'
    await page.evaluate(watchPage, pattern)
    const streamed: Sightings = {}
    const note = (id: string): void => void (streamed[id] ??= now())
    watchStream(server.url, secret, new RegExp(pattern, 'g'), note, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error
    })
    const { offset, error } = await clockOffset(page)
    const mail = loadMails(8192, 'delay')
    let connection: SmtpConnection | undefined
    const [rows, events, attempts]: [number[], number[], number] = [[], [], count + 10]
    for (let i = 0; i < attempts; i++) {
      const { id, wire } = mail()
      const named = Buffer.from(wire.toString('latin1').replace('Subject: ', `Subject: ${id} `), 'latin1')
      if (i % PER_CONNECTION === 0) {
        connection?.quit()
        connection = await SmtpConnection.open({ port: server.smtpPort })
      }
      const reply = await connection!.send(LOAD_SENDER, address, named)
      const acknowledged = now()
      if (reply.code !== 250) throw new Error(`${reply.code} ${reply.text}`)
      await page.waitForFunction((messageId) => messageId in globalThis.sightings, id, { polling: 20, timeout: 10_000 })
      const seen = await page.evaluate((messageId) => globalThis.sightings[messageId] ?? Number.NaN, id)
      if (i < attempts - count) continue
      rows.push(seen + offset - acknowledged)
      events.push((streamed[id] ?? Number.NaN) - acknowledged)
    }
    connection?.quit()
    const line = (name: string, samples: number[]) => [
      name,
      ...[0.5, 0.99, 1].map((share) => round(percentile(samples, share), 1)),
    ]
    return [
      table([
        ['from the 250 to', 'p50 ms', 'p99 ms', 'max ms'],
        line('the event in the live stream', events),
        line('the row in the page', rows),
      ]),
      `${count} messages, one at a time; clock error at most ${round(error, 1)} ms.`,
    ].join('\n\n')
  } finally {
    stop.abort()
    await browser.close()
    await server.stop()
  }
}
