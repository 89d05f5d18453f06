import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from './api.ts'
import { keepTrying, untilNextTry, withRetries } from './retries.ts'

const page = Object.assign(new EventTarget(), { hidden: false })
const network = new EventTarget()

beforeEach(() => {
  page.hidden = false
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', network.addEventListener.bind(network))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Work that fails in these ways, one after the other, and then succeeds. */
const failing = (...errors: unknown[]) =>
  vi.fn(async () => {
    const error = errors.shift()
    if (error !== undefined) throw error
    return 'done'
  })
const offline = () => new ApiError('offline')

describe('withRetries', () => {
  const signal = new AbortController().signal

  test.each(['offline', 'internal', 'unavailable', 'store_unavailable', 'too_many_requests'] as const)(
    'repeats what failed with %s',
    async (code) => {
      const work = failing(new ApiError(code))
      const result = withRetries(work, { signal })
      await vi.advanceTimersByTimeAsync(4999)
      expect(work).toHaveBeenCalledTimes(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(await result).toBe('done')
    },
  )

  test.each([new ApiError('message_not_found'), new ApiError('not_signed_in'), new TypeError('x is not a function')])(
    'does not repeat what failed with %s',
    async (error) => {
      const work = failing(error)
      await expect(withRetries(work, { signal })).rejects.toBe(error)
      expect(work).toHaveBeenCalledTimes(1)
    },
  )

  test('waits longer each time, but as long as a limit demands, and starts anew after a success', async () => {
    const waited: number[] = []
    const wait = async (milliseconds: number): Promise<void> => void waited.push(milliseconds)
    const limit = new ApiError('too_many_requests', 7)
    const work = failing(offline(), offline(), limit, offline(), offline(), offline())
    await withRetries(work, { signal, wait })
    expect(waited).toEqual([5000, 10_000, 7000, 30_000, 30_000, 30_000])
    waited.length = 0
    await withRetries(failing(offline()), { signal, wait })
    expect(waited).toEqual([5000])
  })

  const show = (visible: boolean): void => {
    page.hidden = !visible
    page.dispatchEvent(new Event('visibilitychange'))
  }
  const back = (): boolean => network.dispatchEvent(new Event('online'))
  test.each([
    ['the network is back', 2, back],
    ['the visitor returns to the page', 2, () => show(true)],
    ['the visitor leaves the page', 1, () => show(false)],
    ['the network is back in a hidden page', 1, () => [show(false), back()]],
  ])('when %s, it has tried %i times', async (_name, tries, happen) => {
    const work = failing(offline())
    const result = withRetries(work, { signal })
    await vi.advanceTimersByTimeAsync(10)
    happen()
    await vi.advanceTimersByTimeAsync(10)
    expect(work).toHaveBeenCalledTimes(tries)
    show(true)
    await result
  })

  test('tries nothing while the page is hidden, and again when the visitor returns', async () => {
    const work = failing(offline())
    const result = withRetries(work, { signal })
    show(false)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(work).toHaveBeenCalledTimes(1)
    show(true)
    expect(await result).toBe('done')
  })

  test('waits out a limit, even if the visitor returns or the network is back before its end', async () => {
    const work = failing(new ApiError('too_many_requests', 20))
    const result = withRetries(work, { signal })
    await vi.advanceTimersByTimeAsync(10)
    back()
    show(true)
    await vi.advanceTimersByTimeAsync(19_980)
    expect(work).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(20)
    expect(await result).toBe('done')
  })

  test('stops at once when it is told to', async () => {
    const stopped = new AbortController()
    const work = failing(offline(), offline())
    const result = withRetries(work, { signal: stopped.signal })
    await vi.advanceTimersByTimeAsync(10)
    stopped.abort()
    await expect(result).rejects.toThrow('offline')
    expect(work).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
    const waiting = untilNextTry(1e9, stopped.signal)
    await vi.advanceTimersByTimeAsync(0)
    await waiting
  })
})

describe('keepTrying', () => {
  const problems: unknown[] = []
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      problems.push(error)
      return false
    }
  }

  test('attempts until it succeeds, or fails for good', async () => {
    const works = [failing(offline(), offline()), failing(new ApiError('not_signed_in'))] as const
    for (const work of works) keepTrying(attempt, work)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(works.map((work) => work.mock.calls.length)).toEqual([3, 1])
    expect(problems).toHaveLength(3)
  })

  test('stops', async () => {
    const work = failing(offline())
    const stop = keepTrying(attempt, work)
    await vi.advanceTimersByTimeAsync(10)
    stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(work).toHaveBeenCalledTimes(1)
  })
})
