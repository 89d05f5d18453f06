import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { setShown } from '../api/api.ts'
import { checkSubscriptions, pushState, renewAfter, switchPushOff, switchPushOn } from './push.ts'

vi.mock('../app/active-worker.ts', () => ({ activeWorker: async () => ({ pushManager }) }))

const KEY = 'AQID'
const TEXTS = { home: '/en', locale: 'en', dir: 'ltr', arrived: '', plain: '', code: '' } as const

/** The subscription that the browser has, the number of those it had, and the settings that it keeps. */
let endpoint: string | null
let made: number
let kept: string | undefined
/** The ids that the service knows: an address and an endpoint. */
let rows: string[]
let requests: string[]
/** The address of the cookie. */
let opened: string
let isRefused: boolean
let tail: Promise<unknown>

const subscription = () =>
  endpoint === null
    ? null
    : {
        options: { applicationServerKey: Uint8Array.of(1, 2, 3).buffer },
        toJSON: () => ({ endpoint }),
        unsubscribe: async () => void (endpoint = null),
      }
let onGet = (): void => {}
const pushManager = {
  getSubscription: async () => (onGet(), subscription()),
  subscribe: async () => {
    endpoint = `E${made++}`
    return subscription()
  },
}

function answer(method: string, path: string, body: string): Response {
  if (path === '/address') return Response.json({ address: opened })
  if (method === 'GET') {
    const subscriptions = rows.filter((id) => id.startsWith(`${opened}:`)).map((id) => ({ id }))
    return Response.json({ publicKey: KEY, subscriptions })
  }
  if (method === 'POST') {
    if (isRefused) return Response.json({ code: 'push_invalid' }, { status: 400 })
    const id = `${opened}:${JSON.parse(body).endpoint}`
    rows = [...rows.filter((each) => each !== id), id]
    return Response.json({ id }, { status: 201 })
  }
  rows = rows.filter((id) => id !== path.split('/').at(-1))
  return new Response(null, { status: 204 })
}

vi.stubGlobal('window', globalThis)
vi.stubGlobal('document', { querySelector: () => null })
vi.stubGlobal('PushManager', Object)
vi.stubGlobal('Notification', { permission: 'granted', requestPermission: async () => 'granted' })
vi.stubGlobal('navigator', {
  serviceWorker: {},
  locks: { request: async (_: string, run: () => Promise<void>) => (tail = tail.then(run, run)) },
})
vi.stubGlobal('caches', {
  open: async () => ({
    match: async () => kept && new Response(kept),
    put: async (_: string, response: Response) => void (kept = await response.text()),
  }),
})
vi.stubGlobal('fetch', async (url: string, { method, body, headers }: any) => {
  const path = url.replace('/api/v1', '')
  requests.push(`${method} ${path}`)
  const shown = headers['x-address']
  return shown !== undefined && shown !== opened
    ? Response.json({ code: 'unauthorized' }, { status: 401 })
    : answer(method, path, body)
})

function open(address: string): void {
  opened = address
  setShown(address)
}
/** Opens an address of a subscriber in a page. */
async function load(address: string): Promise<void> {
  open(address)
  await checkSubscriptions(address, true)
}
const isOn = async (): Promise<boolean> => (await pushState()).push === 'on'

afterAll(() => setShown())
beforeEach(() => {
  endpoint = null
  made = 0
  kept = undefined
  rows = []
  isRefused = false
  tail = Promise.resolve()
  onGet = () => {}
  open('A')
  requests = []
})

/** A subscriber who is told of two addresses, and opens the first again. */
async function tellOfTwo(): Promise<void> {
  await switchPushOn(TEXTS)
  open('B')
  await switchPushOn(TEXTS)
  open('A')
  requests = []
}

test('a subscription that the service has forgotten is off, until it is switched on with another endpoint', async () => {
  await tellOfTwo()
  rows = ['B:E0']
  await load('A')
  expect(await isOn()).toBe(false)
  expect((await switchPushOn(TEXTS)).push).toBe('on')
  expect(rows).toContain('A:E1')
})

test('the other addresses of a browser get its new endpoint when a page opens them', async () => {
  await tellOfTwo()
  rows = ['B:E0']
  await switchPushOn(TEXTS)
  open('B')
  expect(await isOn()).toBe(false)
  await load('B')
  expect(await isOn()).toBe(true)
  expect(rows).toEqual(['B:E0', 'A:E1', 'B:E1'])
  requests = []
  await load('A')
  await load('B')
  expect(requests).toEqual([])
})

test('an address that cannot get the new endpoint is off', async () => {
  await tellOfTwo()
  rows = []
  await switchPushOn(TEXTS)
  isRefused = true
  await load('B').catch(() => {})
  requests = []
  await load('B')
  expect(requests).toEqual([])
  expect(await isOn()).toBe(false)
})

test('no other address is subscribed if the page opens one meanwhile', async () => {
  await tellOfTwo()
  rows = []
  await switchPushOn(TEXTS)
  onGet = () => open('C')
  await load('B').catch(() => {})
  expect(rows).toEqual(['A:E1'])
})

test('a subscription that was refused is not sent again', async () => {
  isRefused = true
  await expect(switchPushOn(TEXTS)).rejects.toThrow('push_invalid')
  requests = []
  isRefused = false
  await load('A')
  await checkSubscriptions('A', false)
  expect(requests).toEqual([])
  expect(await isOn()).toBe(false)
})

test('a browser that has one address ends the subscriptions for others', async () => {
  await switchPushOn(TEXTS)
  open('B')
  requests = []
  await checkSubscriptions('B', false)
  expect(rows).toEqual([])
  expect(requests).toEqual(['GET /address/push', 'DELETE /push/A:E0'])
})

const earlier = JSON.stringify({ ids: ['A:E0'], details: false, texts: TEXTS })
test.each([
  ['of this build', undefined],
  ['of an earlier build, which stored no address', earlier],
])('a subscription %s goes on with a new secret, and can be switched off', async (_, settings) => {
  await switchPushOn(TEXTS)
  kept = settings ?? kept
  await renewAfter(async () => void (rows = []))
  expect(rows).toEqual(['A:E0'])
  expect(await isOn()).toBe(true)
  expect((await switchPushOff()).push).toBe('off')
  await renewAfter(async () => {})
  expect(rows).toEqual([])
})

test('a subscription goes on with a new secret at the second attempt', async () => {
  await switchPushOn(TEXTS)
  const replace = async () => void (rows = [])
  await renewAfter(async () => replace().then(() => Promise.reject(new Error('lost')))).catch(() => {})
  expect(await isOn()).toBe(false)
  await renewAfter(replace)
  expect(await isOn()).toBe(true)
})
