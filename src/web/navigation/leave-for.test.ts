import { expect, test, vi } from 'vitest'
import { leaveFor } from './leave-for.ts'

test('a page of another site is being opened until the visitor is back, or some seconds have passed', async () => {
  vi.useFakeTimers()
  const page = new EventTarget()
  const assign = vi.fn()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('location', { assign })
  const over = vi.fn()
  void leaveFor('https://pay.example/').then(over)
  await vi.advanceTimersByTimeAsync(5000)
  expect([assign.mock.calls, over.mock.calls]).toEqual([[['https://pay.example/']], []])
  page.dispatchEvent(new Event('pageshow'))
  await vi.advanceTimersByTimeAsync(0)
  expect(over).toHaveBeenCalledTimes(1)
  void leaveFor('https://pay.example/').then(over)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(over).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})
