import { vi } from 'vitest'
import type { Held } from '../../packages/extension/src/state/state.ts'

export const SERVICE = 'https://mail.example'
export const OTHER = 'https://other.example'
export const SHOP = 'https://shop.example'
export const ADDRESS = 'me@mail.example'

const stores = { local: {} as Record<string, unknown>, session: {} as Record<string, unknown> }
const area = (name: 'local' | 'session') => ({
  get: (key: string) => Promise.resolve(structuredClone({ [key]: stores[name][key] })),
  set: (items: object) => Promise.resolve(void Object.assign(stores[name], structuredClone(items))),
  remove: (key: string) => Promise.resolve(void delete stores[name][key]),
  clear: () => Promise.resolve(void (stores[name] = {})),
  setAccessLevel: vi.fn(() => Promise.resolve()),
})
const nothing = vi.fn(() => Promise.resolve())

/** Each removes the listeners of an event, which an earlier file may have added. */
const removals: (() => void)[] = []

/** An event of the browser. */
function event<Args extends unknown[]>() {
  const listeners: ((...args: Args) => unknown)[] = []
  removals.push(() => void (listeners.length = 0))
  return {
    addListener: (listener: (...args: Args) => unknown) => void listeners.push(listener),
    dispatch: (...args: Args) => listeners.forEach((listener) => listener(...args)),
  }
}

/** The frames of the tabs, by the number of the tab. Others are closed. */
export const frames: Record<number, { frameId: number; origin: string; fillScore: number }[]> = {}

/** The API of the browser. */
export const fake = {
  stores,
  permissions: {
    getAll: async () => ({ origins: ['*://*/*', `${SERVICE}/*`] }),
    remove: vi.fn((_permissions: object) => Promise.resolve()),
    onRemoved: event(),
  },
  storage: { local: area('local'), session: area('session'), onChanged: event() },
  runtime: {
    id: 'mayfly',
    sendMessage: vi.fn(() => Promise.resolve(null)),
    openOptionsPage: vi.fn(() => Promise.resolve()),
    getURL: (path: string) => `chrome-extension://mayfly${path}`,
    onInstalled: event(),
    onStartup: event(),
    onMessage: event(),
  },
  alarms: {
    onAlarm: event<[{ name: string }]>(),
    get: () => Promise.resolve({}),
    clear: () => Promise.resolve(true),
  },
  commands: { onCommand: event<[string, { id: number }]>() },
  contextMenus: { onClicked: event() },
  action: { setBadgeText: nothing, setBadgeBackgroundColor: nothing },
  notifications: { create: vi.fn(() => Promise.resolve()), clear: nothing, onClicked: event<[string]>() },
  i18n: { getUILanguage: () => 'en' },
  tabs: {
    update: vi.fn((tabId: number) => (frames[tabId] ? Promise.resolve({}) : Promise.reject(new Error('No tab')))),
    create: vi.fn(() => Promise.resolve({})),
    query: async () => Object.entries(frames).map(([id, [page]]) => ({ id: Number(id), url: page?.origin })),
    onUpdated: event(),
  },
  scripting: {
    executeScript: vi.fn(
      async ({ target, args }: { target: { tabId: number; frameIds?: number[] }; args?: unknown[] }) => {
        const found = frames[target.tabId]
        if (!found) throw new Error('No access')
        if (args) return [{ frameId: target.frameIds?.[0], result: true }]
        return found.map(({ frameId, ...result }) => ({ frameId, result }))
      },
    ),
  },
}

interface FakeService {
  /** What it responds with, by path. */
  answers: Record<string, () => unknown>
  /** The calls with an API key, and whether it refuses them. */
  keyed: string[]
  revoked: boolean
}
export const fakeService: FakeService = { answers: {}, keyed: [], revoked: false }

/** Starts a test with an empty extension. */
export function resetBrowser(): void {
  stores.local = {}
  stores.session = {}
  for (const remove of removals) remove()
  for (const tab of Object.keys(frames)) delete frames[Number(tab)]
  vi.clearAllMocks()
  fakeService.keyed = []
  fakeService.revoked = false
  fakeService.answers = { '/service.json': () => ({ url: SERVICE }), '/messages/en.json': () => ({}) }
  vi.stubGlobal('fetch', async (url: string | URL, { method = 'GET', headers }: RequestInit = {}) => {
    const { pathname } = new URL(url)
    const key = new Headers(headers).get('x-api-key')
    if (key !== null) fakeService.keyed.push(`${method} ${pathname} ${key}`)
    if (key !== null && fakeService.revoked) return Response.json({ code: 'key_invalid' }, { status: 401 })
    return Response.json((await fakeService.answers[pathname]?.()) ?? {})
  })
}

export const held = (fields: Partial<Held> = {}): Held => ({
  service: SERVICE,
  address: ADDRESS,
  secret: 'secret',
  createdAt: 1,
  site: null,
  label: null,
  ...fields,
})
export const mail = (fields: object = {}) =>
  ({
    id: '1',
    from: { name: '', address: 'noreply@sender.example' },
    subject: 'Your code',
    code: '604218',
    link: null,
    receivedAt: new Date().toISOString(),
    ...fields,
  }) as never
export const fileOf = (...addresses: object[]): string =>
  JSON.stringify({ format: 'mayfly-addresses', version: 1, addresses })
