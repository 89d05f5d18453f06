import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { playChime } from './chime.ts'

/** What happened to the sounds of all tabs. */
let started: number
let open: number
let lock: boolean

/** A browser that lets the page play, or keeps sounds back. */
function stubAudio(allowed: boolean, startsIn = 0): void {
  const node = { connect: (to: object) => to }
  class FakeAudio {
    state = 'suspended'
    currentTime = 0
    destination = node
    constructor() {
      open++
    }
    async resume() {
      if (!allowed) return new Promise(() => {})
      await new Promise((resolve) => setTimeout(resolve, startsIn))
      this.state = 'running'
      return undefined
    }
    async close() {
      open--
    }
    createGain() {
      const ramp = () => {}
      return {
        ...node,
        gain: { setValueAtTime: ramp, linearRampToValueAtTime: ramp, exponentialRampToValueAtTime: ramp },
      }
    }
    createOscillator() {
      const tone = new EventTarget()
      return Object.assign(tone, node, {
        frequency: { value: 0 },
        start: () => started++,
        stop: (at: number) => setTimeout(() => tone.dispatchEvent(new Event('ended')), at * 1000),
      })
    }
  }
  vi.stubGlobal('AudioContext', FakeAudio)
}

beforeEach(() => {
  vi.useFakeTimers()
  started = open = 0
  lock = false
  vi.stubGlobal('navigator', {
    userActivation: { hasBeenActive: true },
    locks: {
      async request(_name: string, _options: object, work: (held: object | null) => Promise<void> | null) {
        if (lock) return work(null)
        lock = true
        await work({})
        lock = false
        return undefined
      },
    },
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('plays two notes, and gives the audio device back', async () => {
  stubAudio(true)
  const played = playChime()
  await vi.advanceTimersByTimeAsync(2000)
  await played
  expect([started, open]).toEqual([2, 0])
})

test('waits for a sound device that starts slowly', async () => {
  stubAudio(true, 2500)
  const played = playChime()
  await vi.advanceTimersByTimeAsync(5000)
  await played
  expect([started, open]).toEqual([2, 0])
})

test('keeps no sound that the browser holds back', async () => {
  stubAudio(false)
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: false } })
  const played = playChime()
  await vi.advanceTimersByTimeAsync(2000)
  await played
  expect([started, open]).toEqual([0, 0])
})

test('plays in one of two tabs, and again later', async () => {
  stubAudio(true)
  const both = [playChime(), playChime()]
  await vi.advanceTimersByTimeAsync(2000)
  await Promise.all(both)
  expect([started, open]).toEqual([2, 0])
  const later = playChime()
  await vi.advanceTimersByTimeAsync(2000)
  await later
  expect([started, open]).toEqual([4, 0])
})

test('plays without a secure connection', async () => {
  vi.stubGlobal('navigator', {})
  stubAudio(true)
  const played = playChime()
  await vi.advanceTimersByTimeAsync(2000)
  await played
  expect([started, open]).toEqual([2, 0])
})
