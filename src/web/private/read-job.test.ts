import { afterAll, describe, expect, test } from 'vitest'
import { corpus } from '#mail/finder/corpus.ts'
import { htmlFrame, textFrame } from '#mail/html/frame.ts'
import { createReader } from '#mail/reader/reader.ts'
import { packBody } from '#mail/sealing/body.ts'
import { createSeal } from '#mail/sealing/seal.ts'
import { mail } from '#test/fixtures/mail/build.ts'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { HOSTILE } from '#test/fixtures/mail/hostile.ts'
import { TRACKERS } from '#test/fixtures/mail/trackers.ts'
import { XSS_VECTORS } from '#test/fixtures/mail/xss.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { deriveKeys, newSecret } from './keys.ts'
import { type ReadJob, type ReadResults, runJob } from './read-job.ts'

const seal = createSeal()

// Long, and whole messages instead of first looks: on a busy machine the server would fall back to the headers, but not
// the browser.
const reader = createReader({ timeout: PATIENCE })
afterAll(() => reader.close())

const place = { kind: 'body', addressId: 'address', messageId: 'message', at: 0 } as const
const { keys } = await deriveKeys(newSecret())
/** The browser's result for a message that the server sealed. */
const read = <Kind extends ReadJob['kind']>(
  raw: Uint8Array,
  job: Extract<ReadJob, { kind: Kind }>,
  plain = false,
): Promise<ReadResults[Kind]> => {
  const sealed = new Uint8Array(seal(keys.publicKey, place, packBody(ENVELOPE, raw)))
  return runJob({ job, keys, place, sealed, plain }) as Promise<ReadResults[Kind]>
}
const content = (raw: Uint8Array, proxied = new Map<string, string>()) => read(raw, { kind: 'content', proxied })

const SMALL = 200_000

describe('the browser reads the same from a message as the server', () => {
  const mails: [string, Uint8Array][] = [
    ...corpus('tuning')
      .filter((_, i) => i % 50 === 0)
      .map(({ name, language, subject, html, text }): [string, Uint8Array] => [
        `${language}: ${name}`,
        mail(
          [`Subject: ${Buffer.from(subject).toString('latin1')}`, `Content-Type: text/${html ? 'html' : 'plain'}`],
          html ?? text ?? '',
        ),
      ]),
    // Left out: the accepted nesting depth of a style sheet depends on the thread's stack size and differs in the
    // browser.
    ...HOSTILE.filter(([name]) => name !== 'a sheet of media queries')
      .map(([name, make]): [string, Uint8Array] => [name, make()])
      .filter(([, raw]) => raw.length < SMALL),
    ['trackers', mail(['Content-Type: text/html'], TRACKERS.map(([, html]) => html).join('\n'))],
    ['scripts', mail(['Content-Type: text/html'], XSS_VECTORS.join('\n'))],
  ]
  test('compares more than 150 messages', () => expect(mails.length).toBeGreaterThan(150))

  test.each(mails)('%s', async (_name, raw) => {
    // If a message defeats the parser, both sides fall back to its headers.
    const withFallback = <Kind extends 'summarize' | 'content'>(job: Extract<ReadJob, { kind: Kind }>) =>
      read(raw, job).catch(() => read(raw, job, true))
    const [{ summary }, { remote, frames, ...body }] = await Promise.all([
      withFallback<'summarize'>({ kind: 'summarize' }),
      withFallback<'content'>({ kind: 'content', proxied: new Map() }),
    ])
    expect(summary).toEqual(await reader.summarize(raw, ENVELOPE, { whole: true }))
    const { html, ...rest } = await reader.content(raw)
    expect(body).toEqual(rest)
    expect(frames).toEqual({ html: html && htmlFrame(html, body), text: textFrame(rest.text ?? '') })
    expect(remote.length > 0).toBe(body.hasRemoteContent)
  })
})

test.each([
  ['"Bank \\" <ceo@bank.example>, " <x@good.example>', 'x@good.example', true],
  ['"Bank \x81\\" <ceo@bank.example>, " <x@good.example>', 'ceo@bank.example', false],
])('tells whether the author is the same without the charset of the message: From: %s', async (from, address, is) => {
  const raw = mail([`From: ${from}`, 'Content-Type: text/plain; charset=shift_jis'])
  const { summary, authorIsCertain } = await read(raw, { kind: 'summarize' })
  expect([summary.from.address, authorIsCertain]).toEqual([address, is])
})

test('returns the time of the Date header', async () =>
  expect((await content(mail(['Date: Tue, 1 Jul 2003 10:52:37 +0200']))).date).toBe(Date.UTC(2003, 6, 1, 8, 52, 37)))

describe('remote content', () => {
  const raw = mail(
    ['Content-Type: text/html'],
    `<img src="https://a.example/1.png"><img src="//b.example/2.png"><td style="background:url(https://a.example/1.png)">`,
  )
  test('is removed, and each URL is reported once', async () => {
    const { remote, frames } = await content(raw)
    expect(remote.toSorted()).toEqual(['https://a.example/1.png', 'https://b.example/2.png'])
    expect(frames.html).not.toMatch(/a\.example|b\.example/)
  })
  test('is replaced by proxy URLs where they are given', async () => {
    const { frames } = await content(raw, new Map([['https://a.example/1.png', '/proxy?u=1']]))
    expect(frames.html?.match(/\/proxy\?u=1/g)).toHaveLength(2)
    expect(frames.html).not.toMatch(/a\.example|b\.example/)
  })
})

test('returns source and attachments byte for byte', async () => {
  const raw = mail(
    ['Content-Type: multipart/mixed; boundary=b'],
    '--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b\r\nContent-Disposition: attachment; filename=a.bin\r\nContent-Transfer-Encoding: base64\r\n\r\nAAEC/w==\r\n--b--\r\n',
  )
  expect(Buffer.from(await read(raw, { kind: 'source' }))).toEqual(raw)
  const found = await read(raw, { kind: 'attachment', index: 0 })
  expect(found).toMatchObject({ filename: 'a.bin', size: 4, content: Uint8Array.of(0, 1, 2, 255) })
  expect(await read(raw, { kind: 'attachment', index: 1 })).toBeUndefined()
})
