import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'
import { createRemoteFetch } from './remote-fetch.ts'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)])

describe('public addresses', () => {
  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    // Metadata and control services of cloud providers, and their IPv6 forms.
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '169.254.0.23',
    'fd00:ec2::254',
    'fd20:ce::254',
    '::ffff:168.63.129.16',
    '::ffff:a83f:8110',
    '::168.63.129.16',
    '64:ff9b::a83f:8110',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a83f:8110::1',
    '2002:a9fe:a9fe::1',
    '2a00:1450::5efe:a9fe:a9fe',
    '2a00:1450::200:5efe:a83f:8110',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.88.99.1',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001:0:1::',
    '64:ff9b::7f00:1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::7f00:1',
    'fe80::1%eth0',
    '100::1',
    '5f00::1',
    '2001:20::1',
    'nonsense',
    '',
  ])('do not include %s', (address) => expect(isPublicAddress(address)).toBe(false))

  test.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1', '::ffff:8.8.8.8'])(
    'include %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )

  test.each(['168.63.129.15', '168.63.129.17'])('include %s, next to an Azure service', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
})

describe('fetching', () => {
  let server: Server
  let base = ''
  let handler: RequestListener = () => {}
  beforeAll(async () => {
    server = createServer((request, response) => handler(request, response))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const local = {
    maxBytes: 1000,
    timeout: 5000,
    allowAddress: (address: string) => address === '127.0.0.1',
    allowPort: () => true,
  }
  const fetchImage = createRemoteFetch(local)

  test('returns an image with the type of its bytes, and reveals nothing to the host', async () => {
    const seen: Record<string, unknown>[] = []
    handler = (request, response) => {
      seen.push(request.headers)
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end(PNG)
    }
    expect(await fetchImage(`${base}/a.png?x=1`)).toEqual({ contentType: 'image/png', content: PNG })
    expect(Object.keys(seen[0] ?? {}).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  })

  test.each([
    ['html', Buffer.from('<html>')],
    ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['nothing', Buffer.alloc(0)],
  ])('rejects %s', async (_name, body) => {
    handler = (_request, response) => void response.end(body)
    await expect(fetchImage(base)).rejects.toMatchObject({ code: 'remote_content_failed' })
  })

  test.each([
    [892, true],
    [893, false],
  ])('limits the size: %i bytes after the signature, accepted: %s', async (extra, fine) => {
    handler = (_request, response) => void response.end(Buffer.concat([PNG.subarray(0, 108), Buffer.alloc(extra)]))
    const fetched = fetchImage(base)
    if (fine) expect((await fetched).content.length).toBe(1000)
    else await expect(fetched).rejects.toThrow('too large')
  })

  test('rejects after the timeout', async () => {
    handler = (_request, response) => void response.write(PNG)
    await expect(createRemoteFetch({ ...local, timeout: 50 })(base)).rejects.toThrow('too long')
  })

  test('includes the DNS look-up in the timeout', async () => {
    const silent = createRemoteFetch({ ...local, timeout: 50, resolve: () => new Promise(() => {}) })
    await expect(silent('http://images.example/a.png')).rejects.toThrow('too long')
  })

  test('follows three redirects, and checks each hop', async () => {
    let hops = 0
    handler = (request, response) => {
      const left = Number(request.url?.slice(1) ?? 0)
      hops++
      if (left === 0) response.end(PNG)
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    }
    expect((await fetchImage(`${base}/3`)).contentType).toBe('image/png')
    await expect(fetchImage(`${base}/4`)).rejects.toThrow('Too many redirects')
    handler = (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.2/' }).end()
    await expect(fetchImage(base)).rejects.toThrow('not allowed')
    handler = (_request, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    await expect(fetchImage(base)).rejects.toThrow('Only http')
    expect(hops).toBeGreaterThan(4)
  })

  test.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://1.1.1.1:25/',
    'http://user:pass@1.1.1.1/',
    'http://0/',
  ])('rejects %s by default', async (url) => {
    await expect(createRemoteFetch({ maxBytes: 1000, timeout: 1000 })(url)).rejects.toThrow(
      /not allowed|No credentials/,
    )
  })

  test('connects to the checked address even if the DNS response changes', async () => {
    handler = (_request, response) => void response.end(PNG)
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    const rebinding = createRemoteFetch({ ...local, resolve: async () => answers.shift() ?? [] })
    expect((await rebinding(base.replace('127.0.0.1', 'rebind.example'))).contentType).toBe('image/png')
    await expect(rebinding(base.replace('127.0.0.1', 'rebind.example'))).rejects.toThrow('not allowed')
  })

  test('rejects a host with a private address among public ones', async () => {
    const mixed = createRemoteFetch({ ...local, resolve: async () => ['127.0.0.1', '10.0.0.1'] })
    await expect(mixed(base.replace('127.0.0.1', 'mixed.example'))).rejects.toThrow('not allowed')
  })
})
