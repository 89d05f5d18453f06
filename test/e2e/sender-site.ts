import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { TRACKERS } from '#test/fixtures/mail/trackers.ts'
import { XSS_VECTORS } from '#test/fixtures/mail/xss.ts'

/** The server of a hostile sender. Any connection to it means that the isolation of messages failed. */
export interface SenderSite {
  url: string
  /** Number of connections and requests. */
  connections: number
  requests: number
  /** HTML with all trackers and scripts of the fixtures. All their hosts are replaced by this server. */
  hostile(): string
  close(): void
}

export async function openSenderSite(): Promise<SenderSite> {
  const server = createServer((_request, response) => {
    site.requests++
    response.end('caught')
  }).listen(0, '127.0.0.1')
  server.on('connection', () => site.connections++)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const site: SenderSite = {
    url,
    connections: 0,
    requests: 0,
    hostile: () =>
      [...TRACKERS.map(([, tracker]) => tracker), ...XSS_VECTORS]
        .join('\n')
        .replaceAll(/https?:\/\/[\w.-]+(?::\d+)?/g, url)
        .replaceAll(/(["'(=\s])\/\/[\w.-]+\.[a-z]+/g, `$1${url.slice(5)}`),
    close: () => void server.close(),
  }
  return site
}

interface Activity {
  /** Whether a script of a message ran. */
  ran: boolean
  /** URLs of requests to other sites. */
  away: string[]
  /** Number of requests to the image proxy. */
  proxied: number
}

/** Records what the messages on a page do from now on. */
export async function watchActivity(page: Page, own: string): Promise<Activity> {
  const activity: Activity = { ran: false, away: [], proxied: 0 }
  page.on('dialog', (dialog) => {
    activity.ran = true
    void dialog.dismiss()
  })
  await page.context().exposeBinding('evil', () => {
    activity.ran = true
  })
  page.context().on('request', (request) => {
    const url = request.url()
    if (new URL(url).pathname === '/proxy') activity.proxied++
    if (!url.startsWith(own) && !/^(?:data|blob|about):/.test(url)) activity.away.push(url)
  })
  return activity
}

/** The console messages of a page without those about blocked content. */
export const ownComplaints = (pageErrors: readonly string[]): string[] =>
  pageErrors.filter(
    (text) => !/Failed to load resource|Blocked|Content Security Policy|sandboxed|Unsafe attempt/i.test(text),
  )
