import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import page from '../../packages/extension/src/entrypoints/page.ts'
import { fake, resetBrowser } from './fake-browser.ts'

vi.mock('../../packages/extension/src/browser.ts', async () => ({ browser: (await import('./fake-browser.ts')).fake }))

const { id } = fake.runtime
beforeEach(resetBrowser)
afterAll(() => {
  fake.runtime.id = id
  globalThis.mayfly = undefined
})

test('the script in a page stays, until the extension was updated', () => {
  page.main()
  const first = globalThis.mayfly
  page.main()
  expect(globalThis.mayfly).toBe(first)
  fake.runtime.id = ''
  expect(first?.isCurrent()).toBe(false)
  page.main()
  expect(globalThis.mayfly).not.toBe(first)
  expect(fake.runtime.sendMessage).toHaveBeenCalledTimes(1)
})

test('the script of an earlier build, which does not know whether it is current, is replaced', () => {
  const hideMarks = vi.fn()
  const earlier = { hideMarks } as never
  globalThis.mayfly = earlier
  page.main()
  expect(globalThis.mayfly).not.toBe(earlier)
  expect(hideMarks).toHaveBeenCalledTimes(1)
})

test('the offer of an earlier script is withdrawn, because its buttons do nothing', () => {
  const earlier = { isCurrent: () => false, hideMarks: vi.fn(), withdrawOffer: vi.fn() }
  globalThis.mayfly = earlier as never
  page.main()
  expect(earlier.withdrawOffer).toHaveBeenCalledTimes(1)
})
