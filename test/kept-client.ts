import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { KeptAddressJson } from '#contract/kept-addresses.ts'
import type { PagePayload } from '#contract/pages.ts'
import type { Subscription, SubscriptionChange } from '#core/subscription.ts'
import { sendMail } from './mail.ts'
import type { Program } from './program.ts'
import { type SiteClient, signedIn, subscribeIn } from './subscriber.ts'

export const LIST = '/api/v1/account/addresses'

/** A mail of about so many bytes. Rejects with the SMTP reply when it is refused. */
export const send = ({ smtpPort }: Program, to: string, subject = 'hello', bytes = 10): Promise<void> =>
  sendMail(smtpPort, { to, subject, text: `${'x'.repeat(70)}\n`.repeat(Math.ceil(bytes / 72)) })

export const list = async (client: SiteClient): Promise<KeptAddressJson[]> => (await client.json(LIST)).addresses

/** Makes an address that is kept, or keeps that of the cookie. */
export async function keep(client: SiteClient, request: object = {}): Promise<KeptAddressJson> {
  const response = await client.send('POST', LIST, request)
  expect([response.status, response.status === 201 || (await response.text())]).toEqual([201, true])
  return response.json() as Promise<KeptAddressJson>
}

/** Status and code of an answer. */
export async function codeOf(response: Response | Promise<Response>): Promise<[number, string]> {
  const answer = await response
  return [answer.status, answer.status < 400 ? '' : ((await answer.json()) as { code: string }).code]
}

/** The address of the cookie. */
export const current = (client: SiteClient) => client.json('/api/v1/address')

export const payload = async <P extends PagePayload['page']>(client: SiteClient, path: string) =>
  (await client.json(`${path === '/' ? '' : path}/_payload.json`)) as Extract<PagePayload, { page: P }>

/** A new subscriber on a first device. */
export async function subscriber(
  program: Program,
  change: SubscriptionChange = {},
): Promise<{ client: SiteClient; email: string; subscription: Subscription }> {
  const email = `${randomBytes(8).toString('hex')}@real.example`
  const subscription = await subscribeIn(program, email, change)
  return { client: await signedIn(program, email), email, subscription }
}
