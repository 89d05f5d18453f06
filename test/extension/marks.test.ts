import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { compileMessages } from '#web/i18n/compile.ts'
import { hideMarks } from '../../packages/extension/src/background/marks.ts'
import { answer } from '../../packages/extension/src/background/requests.ts'
import background from '../../packages/extension/src/entrypoints/background.ts'
import { changeState } from '../../packages/extension/src/state/state.ts'
import { fake, fakeService, frames, OTHER, resetBrowser, SHOP } from './fake-browser.ts'

vi.mock('../../packages/extension/src/browser.ts', async () => ({ browser: (await import('./fake-browser.ts')).fake }))
vi.mock('@mayfly/client', () => import('../../packages/client/src/index.ts'))

beforeEach(resetBrowser)
afterAll(() => void vi.unstubAllGlobals())

const sender = { id: 'mayfly', tab: { id: 1 }, origin: SHOP } as never

describe('marks in open pages', () => {
  beforeEach(() => {
    frames[1] = [{ frameId: 0, origin: SHOP, fillScore: 1 }]
    frames[2] = [{ frameId: 0, origin: OTHER, fillScore: 1 }]
  })
  const reached = () =>
    fake.scripting.executeScript.mock.calls.map(([{ target, args }]) => [target.tabId, ...(args as unknown[])])

  test('are removed in every tab', async () => {
    await hideMarks()
    expect(reached()).toEqual([
      [1, null],
      [2, null],
    ])
  })

  test('of a site are removed in every tab when they are hidden in one', async () => {
    await changeState(({ settings }) => void (settings.marks = true))
    await answer({ type: 'hide' }, sender)
    await expect.poll(reached).toEqual([
      [1, SHOP],
      [2, SHOP],
    ])
    expect(await answer({ type: 'fill' }, sender)).toBe('off')
  })

  test('that are switched off are told so', async () => {
    expect(await answer({ type: 'fill' }, sender)).toBe('off')
  })
})

describe('a fill that the visitor asked for in a page tells', () => {
  const told = () =>
    (fake.notifications.create.mock.calls as unknown[][]).map(([, each]) => (each as { message: string }).message)
  const fill = () => {
    background.main()
    fake.commands.onCommand.dispatch('fill', { id: 1 })
  }
  beforeEach(() => {
    fakeService.answers['/messages/en.json'] = () => compileMessages('en')
  })

  test('that there is no connection', async () => {
    const service = fetch
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) =>
      url.toString().includes('/api/') ? Promise.reject(new TypeError('Failed to fetch')) : service(url, init),
    )
    await changeState(({ settings }) => void (settings.marks = true))
    expect(await answer({ type: 'fill' }, sender)).toBe(null)
    expect(told()).toEqual([expect.stringMatching(/^No connection/)])
  })

  test('that there is no field', async () => {
    frames[1] = [{ frameId: 0, origin: SHOP, fillScore: 0 }]
    fill()
    await expect.poll(told).toEqual([expect.stringMatching(/^There is no email field here/)])
  })

  test('that the browser does not allow it', async () => {
    fill()
    await expect.poll(told).toEqual([expect.stringContaining('allow extensions on this page')])
  })
})
