import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHECKED_LINKS_MAX } from '#core/mailbox/checks.ts'
import { createLinkCheck, type LinkCheckOptions } from './link-check.ts'

/** Stands for a public host: the address 127.0.0.1 is allowed under the name `shop.example`. */
let server: Server
let port: number
let handler: RequestListener = () => {}
const asked: string[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    handler(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const NAMES: Record<string, string[]> = {
  'shop.example': ['127.0.0.1'],
  'intern.example': ['10.0.0.1'],
  'mixed.example': ['127.0.0.1', '10.0.0.1'],
  localhost: ['127.0.0.1'],
}
const LIMITS = { linkTimeout: 5000, timeout: 10_000, linksAtOnce: 4, maxAtOnce: 2 }
const PUBLIC: Partial<LinkCheckOptions> = {
  allowAddress: (address) => address === '127.0.0.1',
  allowPort: () => true,
  resolve: async (host) => NAMES[host] ?? Promise.reject(new Error('ENOTFOUND')),
}
const signal = new AbortController().signal
const newCheck = (options: Partial<LinkCheckOptions> = {}) => createLinkCheck({ ...LIMITS, ...PUBLIC, ...options })
const url = (path: string, host = 'shop.example'): string => `http://${host}:${port}${path}`
const check = async (
  text: string,
  { local = false, ...options }: Partial<LinkCheckOptions> & { local?: boolean } = {},
) => (await newCheck(options)([text], { local, signal }))[0]

test('asks with HEAD, and with GET where that fails, and sends nothing about the reader', async () => {
  const headers: object[] = []
  handler = (request, response) => {
    headers.push(request.headers)
    response.writeHead(request.url === '/get' && request.method === 'HEAD' ? 405 : 200, { 'set-cookie': 'a=b' })
    response.end('x'.repeat(100_000))
  }
  asked.length = 0
  expect(await check(url('/head'))).toEqual({ result: 'ok', status: 200, redirects: [], reason: null })
  expect(await check(url('/get'))).toMatchObject({ result: 'ok', status: 200 })
  expect(asked).toEqual(['HEAD /head', 'HEAD /get', 'GET /get'])
  for (const each of headers)
    expect(Object.keys(each).toSorted()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})

test.each([404, 410, 500, 503, 304])('reports the status %i', async (status) => {
  handler = (_request, response) => void response.writeHead(status).end()
  expect(await check(url('/'))).toMatchObject({ result: 'failed', status, reason: null })
})

test('follows five redirects and reports them', async () => {
  handler = (request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end()
    else response.writeHead(302, { location: `/${left - 1}`, 'set-cookie': 'secret=1' }).end()
  }
  expect(await check(url('/2'))).toEqual({
    result: 'ok',
    status: 200,
    redirects: [
      { status: 302, url: url('/1') },
      { status: 302, url: url('/0') },
    ],
    reason: null,
  })
  expect(await check(url('/5'))).toMatchObject({ result: 'ok' })
  expect(await check(url('/6'))).toMatchObject({ result: 'failed', status: 302, reason: 'More than 5 redirects' })
})

test.each([
  ['a private address', 'http://10.0.0.1/'],
  ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'],
  ['loopback', 'http://127.0.0.2/'],
  ['loopback in IPv6', 'http://[::1]/'],
  ['a mapped address', 'http://[::ffff:10.0.0.1]/'],
  ['a name of a private host', 'http://intern.example/'],
  ['a name with a private address among others', 'http://mixed.example/'],
  ['a name that does not exist', 'http://nowhere.example/'],
  ['credentials', 'http://user:word@shop.example/'],
  ['another protocol', 'ftp://shop.example/'],
  ['no URL', 'nonsense'],
])('never connects to %s, also not after a redirect', async (_name, target) => {
  const direct = await check(target)
  expect(direct).toMatchObject({ result: 'refused', status: null })
  handler = (_request, response) => void response.writeHead(302, { location: target }).end()
  if (URL.canParse(target)) expect(await check(url('/'))).toMatchObject({ result: 'refused', status: null })
})

test('names that do not exist and names of private hosts look the same', async () =>
  expect(await check('http://intern.example/')).toEqual(await check('http://nowhere.example/')))

test('only the ports of the web are allowed by default', async () =>
  expect(await check('http://shop.example:25/', { allowPort: undefined })).toMatchObject({
    result: 'refused',
    reason: 'The port is not allowed',
  }))

test('connects to the checked address even if the DNS response changes, on each hop', async () => {
  const answers = [['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1']]
  const resolve = async (): Promise<string[]> => answers.shift() ?? []
  handler = (request, response) =>
    void (request.url === '/go' ? response.writeHead(302, { location: '/end' }) : response).end()
  expect(await check(url('/end', 'rebind.example'), { resolve })).toMatchObject({ result: 'ok' })
  expect(await check(url('/go', 'rebind.example'), { resolve })).toMatchObject({
    result: 'refused',
    redirects: [{ url: url('/end', 'rebind.example') }],
  })
})

test('links to this machine are opened only for a check from it, and only directly', async () => {
  const rules = { allowAddress: undefined, allowPort: undefined }
  const own = [url('/own', '127.0.0.1'), url('/own', 'localhost')]
  handler = (request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://1.1.1.1:25/' }).end()
    else response.end()
  }
  for (const each of own) {
    expect(await check(each, rules)).toMatchObject({ result: 'refused' })
    expect(await check(each, { ...rules, local: true })).toMatchObject({ result: 'ok' })
  }
  // Other names of this machine, and other private addresses, stay closed.
  expect(await check(url('/'), { ...rules, local: true })).toMatchObject({ result: 'refused' })
  expect(await check('http://10.0.0.1/', { ...rules, local: true })).toMatchObject({ result: 'refused' })
  // From here on the rules for all hosts apply.
  const away = await check(url('/away', '127.0.0.1'), { ...rules, local: true })
  expect(away).toMatchObject({ result: 'refused', reason: 'The port is not allowed' })
})

test('another site does not lead to this machine, also not in a check from it', async () => {
  handler = (request, response) => {
    if (request.url === '/start') response.writeHead(302, { location: url('/shutdown', 'localhost') }).end()
    else response.end()
  }
  asked.length = 0
  // `shop.example` is a public host, `localhost` is not.
  let name = ''
  const resolve = async (host: string): Promise<string[]> => NAMES[(name = host)] ?? []
  const allowAddress = (): boolean => name === 'shop.example'
  expect(await check(url('/start'), { resolve, allowAddress, local: true })).toMatchObject({ result: 'refused' })
  expect(asked).toEqual(['HEAD /start'])
})

test('ends a link that takes too long, and the whole check', async () => {
  handler = (request, response) => void (request.url === '/slow' || response.end())
  expect(await check(url('/slow'), { linkTimeout: 50 })).toMatchObject({ result: 'timeout', status: null })
  const never = { linkTimeout: 50, resolve: () => new Promise<string[]>(() => {}) }
  expect(await check('http://shop.example/', never)).toMatchObject({ result: 'timeout' })
  const urls = [url('/slow'), url('/slow'), url('/fast')]
  const results = await newCheck({ timeout: 200, linksAtOnce: 2 })(urls, { local: false, signal })
  expect(results).toEqual([undefined, undefined, undefined])
})

test('stops when the client has gone', async () => {
  const gone = new AbortController()
  asked.length = 0
  handler = () => gone.abort()
  const urls = Array.from({ length: 20 }, (_, i) => url(`/${i}`))
  const results = await newCheck({ linksAtOnce: 1 })(urls, { local: false, signal: gone.signal })
  expect(results.every((each) => each === undefined)).toBe(true)
  expect(asked).toHaveLength(1)
})

test('opens a bounded number of links, few at once, for few messages at once', async () => {
  let open = 0
  let most = 0
  handler = (_request, response) => {
    most = Math.max(most, ++open)
    setImmediate(() => {
      open--
      response.end()
    })
  }
  const urls = Array.from({ length: CHECKED_LINKS_MAX + 5 }, (_, i) => url(`/${i}`))
  const checkLinks = newCheck({ maxAtOnce: 1 })
  const running = checkLinks(urls, { local: false, signal })
  await expect(checkLinks(urls, { local: false, signal })).rejects.toMatchObject({ code: 'unavailable' })
  const results = await running
  expect(results.filter((each) => each?.result === 'ok')).toHaveLength(CHECKED_LINKS_MAX)
  expect(results.slice(CHECKED_LINKS_MAX)).toEqual(Array(5).fill(undefined))
  expect(most).toBeLessThanOrEqual(LIMITS.linksAtOnce)
  expect(await checkLinks(urls.slice(0, 1), { local: false, signal })).toMatchObject([{ result: 'ok' }])
})

test('says that a host cannot be reached', async () => {
  const closed = createServer()
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
  const gone = (closed.address() as AddressInfo).port
  await new Promise((done) => closed.close(done))
  expect(await check(`http://shop.example:${gone}/`)).toMatchObject({
    result: 'unreachable',
    reason: 'The host could not be reached',
  })
})
