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
  let ends = 0
  const stop = followInbox({
    revision,
    dispatch: (event) => events.push(event),
    onEnd: () => ends++,
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
  return { sources, urls, events, retries, stop, ends: () => ends }
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
