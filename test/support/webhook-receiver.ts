import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface ReceivedCall {
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** The response to calls of a path: a status, or a function. */
type Answer = number | ((response: ServerResponse) => void)

/** A subscriber's server: records calls, and responds as the test says, by default with 204. */
export async function startReceiver() {
  const calls: ReceivedCall[] = []
  const answers = new Map<string, Answer>()
  const waiting = new Set<() => void>()
  let open = 0
  let mostOpen = 0
  const server = createServer(async (request, response) => {
    mostOpen = Math.max(mostOpen, ++open)
    response.once('close', () => open--)
    const { url: path = '', headers } = request
    calls.push({ path, headers, body: await text(request) })
    for (const look of waiting) look()
    const answer = answers.get(path) ?? 204
    if (typeof answer === 'number') response.writeHead(answer).end()
    else answer(response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const of = (path: string): ReceivedCall[] => calls.filter((each) => each.path === path)

  return {
    port,
    url: (path: string): string => `http://localhost:${port}${path}`,
    answers,
    of,
    /** The maximum of concurrent calls. */
    mostOpen: () => mostOpen,
    /** Resolves with the calls of a path once there are this many. */
    until: (path: string, count = 1): Promise<ReceivedCall[]> =>
      new Promise((done) => {
        const look = (): void => {
          if (of(path).length < count) return
          waiting.delete(look)
          done(of(path))
        }
        waiting.add(look)
        look()
      }),
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/**
 * Whether a call is signed with the secret according to Standard Webhooks. A real receiver would also check its time.
 */
export function isSigned({ headers, body }: ReceivedCall, secret: string): boolean {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
  const expected = createHmac('sha256', Buffer.from(encoded, 'base64')).update(signed, 'utf8').digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .map((each) => each.split(','))
    .filter(([version]) => version === 'v1')
    .map(([, signature = '']) => Buffer.from(signature, 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
