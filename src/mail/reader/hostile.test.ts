import { afterAll, describe, expect, test } from 'vitest'
import { mail } from '#test/fixtures/mail/build.ts'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { HOSTILE } from '#test/fixtures/mail/hostile.ts'
import { TRACKERS } from '#test/fixtures/mail/trackers.ts'
import { violations } from '#test/fixtures/mail/violations.ts'
import { XSS_VECTORS } from '#test/fixtures/mail/xss.ts'
import { createReader } from './reader.ts'

const TIMEOUT = 5000
/** Time in addition to the job: copying the message to the thread, starting a new thread, a busy machine. */
const SLACK = 10_000
const reader = createReader({ timeout: TIMEOUT, threads: 2 })
afterAll(() => reader.close())

test('there are more than 250 hostile messages', () => expect(HOSTILE.length).toBeGreaterThan(250))

describe('a hostile message is processed in time, listed and sanitized', () => {
  test.each(HOSTILE)('%s', async (_name, make) => {
    const raw = make()
    const started = performance.now()
    const [summary, content] = await Promise.all([reader.summarize(raw, ENVELOPE), reader.content(raw)])
    expect(performance.now() - started).toBeLessThan(TIMEOUT + SLACK)
    expect(summary.to).toBe('me@mayfly.test')
    expect(summary.subject.length).toBeLessThan(1000)
    expect(summary.preview.length).toBeLessThan(300)
    if (content.html !== null && content.html.length < 3_000_000) expect(violations(content.html)).toEqual([])
  })
})

test('content is sanitized for all XSS vectors and trackers', async () => {
  for (const html of [...XSS_VECTORS, ...TRACKERS.map(([, tracker]) => tracker)]) {
    const content = await reader.content(mail(['Content-Type: text/html; charset=utf-8'], html))
    expect(violations(content.html ?? ''), html).toEqual([])
  }
})
