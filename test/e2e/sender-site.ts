import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { TRACKERS } from '#test/fixtures/mail/trackers.ts'
import { XSS_VECTORS } from '#test/fixtures/mail/xss.ts'

/** The server of a hostile sender, who hopes to be called. */
export interface SenderSite {
  url: string
  /** Every connection that anybody opened, and every request. */
  connections: number
  requests: number
  /** All trackers and scripts in one mail. Whatever host the fixtures name, it is this one here. */
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

export interface Deeds {
  /** Whether anything ran that came in a mail. */
  ran: boolean
  /** Requests to other sites, and those to the proxy. */
  away: string[]
  proxied: number
}

/** What the mails on a page do, from now on. */
export async function watchDeeds(page: Page, own: string): Promise<Deeds> {
  const deeds: Deeds = { ran: false, away: [], proxied: 0 }
  page.on('dialog', (dialog) => {
    deeds.ran = true
    void dialog.dismiss()
  })
  await page.context().exposeBinding('evil', () => {
    deeds.ran = true
  })
  page.context().on('request', (request) => {
    const url = request.url()
    if (new URL(url).pathname === '/proxy') deeds.proxied++
    if (!url.startsWith(own) && !/^(?:data|blob|about):/.test(url)) deeds.away.push(url)
  })
  return deeds
}

/** What a page complains of that is not the walls' own word. */
export const ownComplaints = (complaints: readonly string[]): string[] =>
  complaints.filter(
    (text) => !/Failed to load resource|Blocked|Content Security Policy|sandboxed|Unsafe attempt/i.test(text),
  )
