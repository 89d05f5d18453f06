import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { DAY } from '#core/time.ts'
import type { Grants } from '#features/billing/index.ts'
import { demoMessages } from './messages.ts'

const EMAIL = 'demo@subscriber.example'
/** A known browser. An unknown one counts as a crawler, which gets no address. */
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
/** The number of messages to the first address. The others go to the second one. */
const TO_FIRST = 9

interface DemoSite {
  url: string
  smtpPort: number
  /** The data directory, which holds the outbox. */
  dataDirectory: string
  grants: Pick<Grants, 'grant'>
}

/**
 * Fills a new site over HTTP and SMTP with a signed-in subscriber who keeps two addresses with messages. Returns the
 * cookies of the subscriber's browser, as `Set-Cookie` lines.
 */
export async function seedDemo({ url, smtpPort, dataDirectory, grants }: DemoSite): Promise<string[]> {
  const cookies = new Map<string, string>()
  async function send(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(url + path, {
      method,
      headers: {
        origin: url,
        'user-agent': USER_AGENT,
        accept: 'text/html,application/json',
        cookie: Array.from(cookies.values(), (line) => line.split(';', 1)[0]).join('; '),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
    for (const line of response.headers.getSetCookie()) cookies.set(line.split('=', 1)[0] ?? '', line)
    return response
  }

  await grants.grant(EMAIL, 365 * DAY, 'en')
  await send('POST', '/api/v1/account/sign-in', { email: EMAIL, lang: 'en' })
  await send('POST', '/api/v1/account/session', { token: await signInToken(join(dataDirectory, 'outbox')) })
  const keep = async (request: object): Promise<{ id: string; address: string }> =>
    (await send('POST', '/api/v1/account/addresses', request)).json() as Promise<{ id: string; address: string }>
  const first = await keep({ login: 'demo.sign-ups', label: 'Sign-ups' })
  const second = await keep({ login: 'demo.reader', label: 'Newsletters' })
  await send('POST', `/api/v1/account/addresses/${first.id}/open`)

  const transport = createTransport({ host: '127.0.0.1', port: smtpPort, tls: { rejectUnauthorized: false } })
  // Sent one after the other, so that they are listed in this order.
  for (const [i, message] of demoMessages.entries())
    await transport.sendMail({ ...message, to: i < TO_FIRST ? first.address : second.address })
  transport.close()
  return [...cookies.values()]
}

/** Waits for a sign-in email in the outbox, and returns the token of its link. */
async function signInToken(outbox: string): Promise<string> {
  for (;;) {
    // A name with a dot in front is a draft, which disappears once it is written.
    const files = (await readdir(outbox).catch(() => [])).filter((file) => /^[^.].*-sign-in-/.test(file)).toSorted()
    const newest = files.at(-1)
    const text = newest === undefined ? '' : await readFile(join(outbox, newest), 'utf8')
    const [, token] = /[?&]link=(?:3D)?([\w-]{43})/.exec(text.replaceAll('=\r\n', '')) ?? []
    if (token !== undefined) return token
    await setTimeout(50)
  }
}
