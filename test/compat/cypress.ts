import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { PATIENCE } from '#test/support/program/patience.ts'

interface CyRequest {
  method: string
  url: string
  qs?: Record<string, string | number>
  body?: unknown
  auth?: { user: string; pass: string } | undefined
}

/** Sends a request as `cy.request` does. Rejects for other statuses than 2xx and 3xx. */
function cyRequest({ method, url, qs, body, auth }: CyRequest): Promise<{ status: number; body: any }> {
  const target = new URL(url)
  for (const [name, value] of Object.entries(qs ?? {})) target.searchParams.set(name, String(value))
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(target, {
      method,
      headers: {
        accept: '*/*',
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...(auth ? { authorization: `Basic ${Buffer.from(`${auth.user}:${auth.pass}`).toString('base64')}` } : {}),
      },
    })
    sent.on('error', reject).on('response', async (response) => {
      const received = Buffer.concat(await response.toArray()).toString()
      const status = response.statusCode ?? 0
      if (status >= 400) return reject(new Error(`${status} ${received}`))
      const isJson = response.headers['content-type']?.startsWith('application/json')
      resolve({ status, body: isJson ? JSON.parse(received) : received })
    })
    sent.end(text)
  })
}

interface Settings {
  /** `MAILPIT_URL` in the configuration of Cypress. */
  url: string
  username?: string
  password?: string
}

type Commands = Record<string, (...args: any[]) => Promise<any>>

/**
 * Returns the commands of `cypress-mailpit`, on a stand-in for Cypress, whose program is not an npm package. The index
 * of the package needs a bundler, so its only file is imported; it registers the same commands.
 */
export async function cypressCommands({ url, username, password }: Settings): Promise<Commands> {
  Object.assign(globalThis, {
    Cypress: {
      expose: (name: string) => (name === 'MAILPIT_URL' ? url : undefined),
      config: () => PATIENCE,
    },
    cy: {
      env: async () => ({ MAILPIT_USERNAME: username, MAILPIT_PASSWORD: password }),
      wrap: async (value: unknown) => value,
      wait: (milliseconds: number) => setTimeout(milliseconds),
      request: cyRequest,
    },
  })
  const { MailpitCommands } = await import('cypress-mailpit/dist/src/MailpitCommands.js')
  const own = new MailpitCommands() as unknown as Commands
  const names: string[] = [...MailpitCommands.parentCypressCommands, ...MailpitCommands.childCypressCommands]
  return Object.fromEntries(names.map((name) => [name, (...args) => own[name]!(...args)]))
}
