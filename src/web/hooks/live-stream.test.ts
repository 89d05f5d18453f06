import { expect, test } from 'vitest'
import type { InboxEvent } from './inbox-state.ts'
import { followInbox, type Source } from './live-stream.ts'

class FakeSource extends EventTarget {
  readyState = 1
  tell(name: string, id: number, data: object): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId: String(id) }))
  }
  fail(readyState: number): void {
    this.readyState = readyState
    this.dispatchEvent(new Event('error'))
  }
  close(): void {
    this.readyState = 2
  }
}

function stage(revision = 3) {
  const sources: FakeSource[] = []
  const urls: string[] = []
  const events: InboxEvent[] = []
  const retries: (() => void)[] = []
  const page = new EventTarget()
  let ends = 0
  const stop = followInbox({
    revision,
    dispatch: (event) => events.push(event),
    onEnd: () => ends++,
    page,
    open(url) {
      urls.push(url)
      const source = new FakeSource()
      sources.push(source)
      return source as unknown as Source
    },
    retry(again) {
      retries.push(again)
      return () => retries.splice(0)
    },
  })
  return { sources, urls, events, retries, page, stop, ends: () => ends }
}

test('starts at the revision of the page and resumes after the last event', () => {
  const { sources, urls, events, retries } = stage()
  expect(urls).toEqual(['/api/v1/events?lastEventId=3'])
  expect(events).toEqual([{ type: 'status', status: 'connecting' }])
  sources[0]?.dispatchEvent(new Event('open'))
  sources[0]?.tell('message', 9, { id: 'a' })
  sources[0]?.tell('deleted', 8, { id: 'b' })
  sources[0]?.tell('address', 9, { address: 'x' })
  expect(events.map(({ type }) => type)).toEqual(['status', 'status', 'message', 'deleted', 'address'])
  sources[0]?.fail(2)
  retries[0]?.()
  expect(urls[1]).toBe('/api/v1/events?lastEventId=9')
})

test('leaves reconnecting to the browser and retries only if the server refused', () => {
  const { sources, events, retries, ends } = stage()
  sources[0]?.fail(0)
  expect([events.at(-1), ends(), retries.length]).toEqual([{ type: 'status', status: 'lost' }, 0, 0])
  sources[0]?.fail(2)
  expect([ends(), retries.length]).toEqual([1, 1])
})

test('asks for the reason shortly after the stream says that it ends, without calling the connection lost', () => {
  const { sources, urls, events, retries, ends } = stage()
  sources[0]?.dispatchEvent(new Event('open'))
  sources[0]?.tell('end', 0, {})
  expect([sources[0]?.readyState, ends(), retries.length]).toEqual([2, 0, 1])
  expect(events.at(-1)).toEqual({ type: 'status', status: 'live' })
  retries[0]?.()
  expect([ends(), retries.length]).toEqual([1, 2])
  retries[1]?.()
  expect(urls).toEqual(['/api/v1/events?lastEventId=3', '/api/v1/events?lastEventId=3'])
})

test('asks for no reason if the page got its new secret first', () => {
  const { sources, retries, stop, ends } = stage()
  sources[0]?.tell('end', 0, {})
  stop()
  expect([ends(), retries.length]).toEqual([0, 0])
})

test('does not reconnect after it was stopped', () => {
  const { sources, retries, stop } = stage()
  sources[0]?.fail(2)
  stop()
  expect([sources[0]?.readyState, retries.length]).toEqual([2, 0])
})

test('is lost without a network, although the connection seems open, and reconnects when the network is back', () => {
  const { sources, urls, events, page } = stage()
  sources[0]?.dispatchEvent(new Event('open'))
  sources[0]?.tell('message', 9, { id: 'a' })
  page.dispatchEvent(new Event('offline'))
  expect(events.at(-1)).toEqual({ type: 'status', status: 'lost' })
  page.dispatchEvent(new Event('online'))
  expect([sources[0]?.readyState, urls[1]]).toEqual([2, '/api/v1/events?lastEventId=9'])
  sources[1]?.dispatchEvent(new Event('open'))
  expect(events.at(-1)).toEqual({ type: 'status', status: 'live' })
})

test('reconnects once when the network is back during the pause after a refused request', () => {
  const { sources, retries, page } = stage()
  sources[0]?.fail(2)
  page.dispatchEvent(new Event('online'))
  expect([sources.length, retries.length]).toEqual([2, 0])
})

test('ignores the network after it was stopped', () => {
  const { sources, events, page, stop } = stage()
  stop()
  page.dispatchEvent(new Event('offline'))
  page.dispatchEvent(new Event('online'))
  expect([sources.length, events.at(-1)]).toEqual([1, { type: 'status', status: 'connecting' }])
})

test('is closed while the page is in the back-forward cache', () => {
  const { sources, urls, page } = stage()
  sources[0]?.tell('message', 9, { id: 'a' })
  page.dispatchEvent(new Event('pagehide'))
  expect(sources[0]?.readyState).toBe(2)
  page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
  expect(urls).toHaveLength(1)
  page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  expect(urls[1]).toBe('/api/v1/events?lastEventId=9')
})
