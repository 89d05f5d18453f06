import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SECRET_KEY_FILE } from '#config/secret-key.ts'
import type { Store } from '#core/ports.ts'
import type { Subscription, SubscriptionChange } from '#core/subscription.ts'
import { newSubscription } from '#features/subscriber.ts'
import { canonicalEmail } from '#mail/email-address.ts'
import { createWrap, type Wrap } from '#mail/sealing/wrap.ts'
import { openStore } from '#store/store.ts'
import { outboxOf } from './outbox.ts'
import type { Program } from './program.ts'

const YEAR = 365 * 24 * 3_600_000

/** A subscription as payments would leave it; a year that doesn't renew where nothing else is said. */
export async function subscribe(
  { subscriptions }: Pick<Store, 'subscriptions'>,
  wrap: Wrap,
  email: string,
  change: SubscriptionChange = {},
): Promise<Subscription> {
  const now = Date.now()
  const emailKey = wrap.hash('email', canonicalEmail(email) ?? '')
  const sealedEmail = wrap.wrap('email', email, emailKey)
  const made = await subscriptions.ensure(newSubscription({ emailKey, sealedEmail, language: 'en' }, now))
  await subscriptions.change(made.id, made.revision, { plan: 'year', paidUntil: now + YEAR, ...change })
  const subscription = await subscriptions.find(made.id)
  if (!subscription) throw new Error('The subscription is not there')
  return subscription
}

/** The service's key of a program. */
export const keyOf = async ({ dataDir }: Pick<Program, 'dataDir'>): Promise<Buffer> =>
  Buffer.from((await readFile(join(dataDir, SECRET_KEY_FILE), 'utf8')).trim(), 'hex')

/** Another process at the database of a running program. */
export async function withStore<T>(program: Program, use: (store: Store, wrap: Wrap) => Promise<T>): Promise<T> {
  const logger = { error: (fields: object, message: string) => console.error(message, fields), warn() {} }
  const store = await openStore({ directory: program.dataDir, logger })
  try {
    return await use(store, createWrap(await keyOf(program)))
  } finally {
    await store.close()
  }
}

/** The same in the database of a running program. */
export const subscribeIn = (program: Program, email: string, change?: SubscriptionChange): Promise<Subscription> =>
  withStore(program, (store, wrap) => subscribe(store, wrap, email, change))

/** A browser of the site without pages: keeps cookies, and says where it comes from. */
export interface SiteClient {
  cookies: Map<string, string>
  send(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Response>
  json<T = any>(path: string): Promise<T>
}

/** A form, or bytes: sent as they are. */
const isWhole = (body: object): body is URLSearchParams | Uint8Array<ArrayBuffer> =>
  body instanceof URLSearchParams || body instanceof Uint8Array

export function siteClient(
  { url }: Pick<Program, 'url'>,
  userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
): SiteClient {
  const cookies = new Map<string, string>()
  const send: SiteClient['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        origin: url,
        'user-agent': userAgent,
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        ...(body && !isWhole(body) ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: isWhole(body) ? body : JSON.stringify(body) } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  return { cookies, send, json: async (path) => (await send('GET', path)).json() as any }
}

/** A subscriber who has signed in by the link of the mail; with the same outbox in several browsers. */
export async function signedIn(program: Program, email: string, outbox = outboxOf(program)): Promise<SiteClient> {
  const client = siteClient(program)
  const asked = await client.send('POST', '/api/v1/account/sign-in', { email, lang: 'en' })
  if (asked.status !== 202) throw new Error(`${asked.status} ${await asked.text()}`)
  const { link } = await outbox.next(email, 'sign-in')
  const opened = await client.send('POST', '/api/v1/account/session', { token: link.searchParams.get('link') })
  if (opened.status !== 204) throw new Error(`${opened.status} ${await opened.text()}`)
  return client
}
