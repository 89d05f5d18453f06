import { once } from 'node:events'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver, type Receiver } from '#test/support/webhook-receiver.ts'
import { createWebhookPost, type WebhookPostOptions } from './webhook-post.ts'

const LOCAL = 'http://localhost:3000'
const PUBLIC = 'https://mayfly.example'
const HEADERS = { 'content-type': 'application/json', 'webhook-id': 'msg_1' }
const ANSWER_MAX = 64 * 1024

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const newPost = (configuredSite = LOCAL, options: Partial<WebhookPostOptions> = {}) =>
  createWebhookPost({ timeout: 1000, configuredSite, ...options })
const send = (path: string) => newPost().send(receiver.url(path), HEADERS, '{"type":"test"}')

describe('allows', () => {
  const resolve = async (host: string): Promise<string[]> => {
    if (host === 'nowhere.example') throw new Error('ENOTFOUND')
    if (host === 'empty.example') return []
    if (host === 'mixed.example') return ['93.184.215.14', '10.0.0.1']
    if (host === 'metadata.google.internal') return ['169.254.169.254']
    if (host === 'private.example') return ['192.168.0.1']
    if (host.startsWith('localhost')) return ['127.0.0.1', '::1']
    return ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c']
  }
  const allowed = (url: string, configuredSite = PUBLIC) => newPost(configuredSite, { resolve }).allows(url)

  test.each(['https://hooks.example/a?b=c', 'https://hooks.example:8443/', 'https://93.184.215.14/'])(
    '%s',
    async (url) => {
      expect(await allowed(url)).toBe(true)
      expect(await allowed(url, LOCAL)).toBe(true)
    },
  )

  test.each([
    '',
    'hooks.example',
    'http://hooks.example/',
    'ftp://hooks.example/',
    'https://user:word@hooks.example/',
    'https://nowhere.example/',
    'https://empty.example/',
    'https://mixed.example/',
    'https://private.example/',
    'https://169.254.169.254/latest',
    'https://168.63.129.16/machine',
    'https://0xa83f8110/machine',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://[fd00:ec2::254]/latest',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://0xa000001/',
    'https://localhost./',
  ])('not %s, for any site', async (url) => {
    expect(await allowed(url)).toBe(false)
    expect(await allowed(url, LOCAL)).toBe(false)
  })

  test.each(['http://localhost:8080/', 'https://localhost/', 'http://127.0.0.1/', 'http://[::1]:1234/'])(
    '%s only for a site on localhost',
    async (url) => {
      expect(await allowed(url, LOCAL)).toBe(true)
      expect(await allowed(url, 'http://127.0.0.1:3000')).toBe(true)
      expect(await allowed(url)).toBe(false)
    },
  )

  test('not localhost if it resolves to another address', async () => {
    const post = newPost(LOCAL, { resolve: async () => ['93.184.215.14'] })
    expect(await post.allows('http://localhost/')).toBe(false)
  })
})

describe('a call', () => {
  test('sends headers and body, and returns the status', async () => {
    receiver.answers.set('/taken', 202)
    expect((await send('/taken')).status).toBe(202)
    expect(receiver.of('/taken')).toMatchObject([
      { headers: { ...HEADERS, 'content-length': '15' }, body: '{"type":"test"}' },
    ])
  })

  test('does not follow redirects', async () => {
    receiver.answers.set('/moved', (response) => {
      response.writeHead(307, { location: receiver.url('/there') }).end()
    })
    expect((await send('/moved')).status).toBe(307)
    expect(receiver.of('/there')).toEqual([])
  })

  test('rejects without a response in time or without a server', async () => {
    receiver.answers.set('/silent', () => {})
    const began = performance.now()
    await expect(send('/silent')).rejects.toThrow()
    expect(performance.now() - began).toBeLessThan(3000)
    receiver.answers.set('/dropped', (response) => response.destroy())
    await expect(send('/dropped')).rejects.toThrow()
    const server = createTcpServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await expect(newPost().send(`http://127.0.0.1:${port}/`, HEADERS, '')).rejects.toThrow('ECONNREFUSED')
  })

  test('returns the status of a long response, and reads it only up to the limit', async () => {
    let written = 0
    const cut = new Promise<void>((done) => {
      receiver.answers.set('/endless', (response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384))) written += 16_384
        }
        response.writeHead(200).on('drain', more).once('close', done)
        more()
      })
    })
    expect((await send('/endless')).status).toBe(200)
    await cut
    // The socket buffers of both sides come on top.
    expect(written).toBeLessThan(100 * ANSWER_MAX)
    receiver.answers.set('/hanging', (response) => void response.writeHead(500).write('x'))
    expect((await send('/hanging')).status).toBe(500)
  })

  test('connects to the checked address with the host name, and sends the body only over TLS', async () => {
    const server = createTcpServer()
    const hello = new Promise<string>((done) => {
      server.on('connection', (socket) => {
        socket.once('data', (data) => {
          done(data.toString('latin1'))
          socket.destroy()
        })
        socket.on('error', () => {})
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const asked: string[] = []
    const resolve = async (host: string): Promise<string[]> => {
      asked.push(host)
      // A second look-up would return another address.
      return asked.length === 1 ? ['127.0.0.1'] : ['192.0.2.1']
    }
    const post = newPost(PUBLIC, { resolve, isPublic: () => true })
    await expect(post.send(`https://hooks.example:${port}/`, HEADERS, 'private')).rejects.toThrow()
    expect(asked).toEqual(['hooks.example'])
    // Only the first TLS record with the host name (RFC 6066), and nothing of the body.
    expect((await hello).startsWith('\x16\x03')).toBe(true)
    expect(await hello).toContain('hooks.example')
    expect(await hello).not.toContain('private')
    server.close()
  })
})
