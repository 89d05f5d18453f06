import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { multipart } from '#test/fixtures/mail/build.ts'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { listAttachments } from './attachments.ts'
import { calendarEventOf } from './calendar-event.ts'
import { firstLook } from './first-look.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'
import { summarize } from './summarize.ts'

// Without the time limit, which a busy machine may exceed.
beforeEach(() => void vi.spyOn(process, 'threadCpuUsage').mockReturnValue({ user: 0, system: 0 }))
afterEach(() => void vi.restoreAllMocks())

const look = (raw: Buffer) => firstLook(raw, ENVELOPE, defaultParseLimits)
const complete = async (raw: Buffer) =>
  listAttachments(await parseMail(raw, defaultParseLimits)).map(({ info }) => info)

const PNG = Buffer.from('\x89PNG\r\n\x1a\n'.padEnd(100, '\0'), 'latin1').toString('base64')
const image = (id: string, type = 'image/png'): string =>
  `Content-Type: ${type}; name=${id}.png\r\nContent-ID: <${id}>\r\nContent-Transfer-Encoding: base64\r\n\r\n${PNG}`
const file = (name: string): string => `Content-Type: application/pdf; name=${name}\r\n\r\n%PDF`
const text = (bytes: number): string => `Content-Type: text/plain\r\n\r\n${'lorem ipsum\r\n'.repeat(bytes / 13)}`
const html = (bytes: number, end: string): string =>
  `Content-Type: text/html\r\n\r\n${'<p>lorem ipsum</p>\r\n'.repeat(bytes / 20)}${end}`
/** A forwarded message, with other boundaries than those of the message around it. */
const message = (...parts: string[]): string =>
  `Content-Type: message/rfc822\r\n\r\n${multipart(...parts)}`.replaceAll(/(?<=boundary=|\n--)/g, 'i')

const LOGO = '<img src="cid:logo">'
const KB = 1024
/** With the message around it, more than a complete parse reads: each level counts again. */
const LARGE = message(text(26), message(html(20, LOGO), `${file('large.pdf')}${'%PDF\r\n'.repeat(90 * KB)}`))

test.each([
  ['long HTML', multipart(html(327 * KB, LOGO), image('logo'), file('a.pdf'))],
  [
    'long HTML and an image without a type',
    multipart(html(327 * KB, LOGO), image('logo', 'application/octet-stream'), file('a.pdf')),
  ],
  [
    'a text and HTML that are long together',
    multipart(text(140 * KB), html(150 * KB, LOGO), image('logo'), file('a.pdf')),
  ],
  ['long HTML that shows the image early', multipart(html(0, LOGO), html(327 * KB, ''), image('logo'), file('a.pdf'))],
  [
    'long HTML that hides the image in the end',
    multipart(html(20, LOGO), html(300 * KB, '<x>'.repeat(2001)), image('logo'), file('a.pdf')),
  ],
  [
    'a long forwarded message that shows an image of the outer one',
    multipart(text(13), image('logo'), message(html(100 * KB, LOGO), file('inner.pdf')), file('a.pdf')),
  ],
  [
    'long HTML and a file that claims to be a multipart',
    multipart(html(300 * KB, ''), 'Content-Type: multipart/mixed; boundary=never; name=a.txt\r\n\r\na', file('a.pdf')),
  ],
])('the first look lists the attachments of the complete message: %s', async (_name, raw) => {
  const { attachments } = await look(raw)
  expect(attachments.length).toBeGreaterThan(0)
  expect(attachments).toEqual(await complete(raw))
})

const CODE = '<p>Your verification code is:</p><h1>482913</h1><p>It expires in ten minutes.</p>'
const oneHtml = (bulk: string): Buffer =>
  Buffer.from(`From: Shop <a@shop.example>\r\nSubject: Verify\r\nContent-Type: text/html\r\n\r\n${bulk}\r\n${CODE}\r\n`)
const styles = (bytes: number): string => `<style>${'.a{color:red}\r\n'.repeat(bytes / 15)}</style>`
const embedded = (bytes: number): string =>
  `<img src="data:image/png;base64,${`${'A'.repeat(70)}\r\n`.repeat(bytes / 72)}">`

test.each([
  ['a style sheet', styles(210 * KB)],
  ['a comment', `<!--${'x \r\n'.repeat(80 * KB)}-->`],
  ['an embedded image', embedded(210 * KB)],
  ['one that is longer than the text of a first look', embedded(800 * KB)],
])('the first look finds what follows %s', async (_name, bulk) => {
  const { code, preview, partial = false } = await look(oneHtml(bulk))
  expect({ code, partial }).toEqual({ code: '482913', partial: false })
  expect(preview).toMatch(/^Your verification code is: 482913/)
})

test('the first look is partial if it could not read what follows an embedded image', async () => {
  const raw = oneHtml(embedded(3000 * KB))
  expect(await look(raw)).toMatchObject({ code: null, partial: true })
  expect(summarize(await parseMail(raw, defaultParseLimits), ENVELOPE)).toMatchObject({ code: '482913' })
})

const event = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x\r\nDTSTART:20260314T090000Z\r\nEND:VEVENT\r\nEND:VCALENDAR'

test('the file of an invitation has the index of the list', async () => {
  const raw = multipart(
    html(327 * KB, LOGO),
    image('logo'),
    file('a.pdf'),
    `Content-Type: text/calendar; name=b.ics\r\n\r\n${event}`,
  )
  const index = calendarEventOf(await parseMail(raw, defaultParseLimits))?.attachment
  expect((await look(raw)).attachments.find((each) => each.index === index)?.filename).toBe('b.ics')
})

test.each([
  ['HTML that is too long for it', multipart(html(3000 * KB, LOGO), file('a.pdf'), image('logo'), file('b.pdf')), 1],
  [
    'a second forwarded message after a long one',
    multipart(message(text(100 * KB), file('a.pdf')), message(file('b.pdf'))),
    2,
  ],
  [
    'a forwarded message after one that has a long one',
    multipart(message(text(13), message(text(40 * KB), file('a.pdf'))), message(file('b.pdf'))),
    3,
  ],
  [
    'a forwarded message that a complete parse leaves out',
    multipart(html(20, LOGO), image('logo'), message(text(26), LARGE, message(file('b.pdf')))),
    0,
  ],
])('the first look lists only attachments whose index is certain: %s', async (_name, raw, count) => {
  const { attachments, partial } = await look(raw)
  expect(partial).toBe(true)
  const whole = await complete(raw)
  expect(attachments.length).toBeGreaterThanOrEqual(count)
  expect(whole.length).toBeGreaterThan(attachments.length)
  expect(attachments).toEqual(whole.slice(0, attachments.length))
})

test('a message with more lines than a complete parse accepts is not read', async () => {
  const raw = multipart(
    text(13),
    text(300 * KB),
    `Content-Type: text/csv; name=a.csv\r\n\r\n${'a\r\n'.repeat(405_000)}`,
  )
  await expect(complete(raw)).rejects.toThrow('Over 400000 lines')
  await expect(look(raw)).rejects.toThrow('Over 400000 lines')
})

test('without images, the list is complete although the text was cut', async () => {
  const raw = multipart(html(327 * KB, LOGO), file('a.pdf'))
  const { attachments, partial } = await look(raw)
  expect(partial).toBeUndefined()
  expect(attachments).toEqual(await complete(raw))
})

test('the first look lists the attachments before the first image if there is no time to read all of the HTML', async () => {
  const raw = multipart(html(327 * KB, LOGO), file('a.pdf'), image('logo'), file('b.pdf'))
  const time = vi.mocked(process.threadCpuUsage)
  expect((await look(raw)).attachments).toHaveLength(2)
  let left = time.mock.calls.length - 1
  time.mockImplementation(() => ({ user: left-- > 0 ? 0 : Infinity, system: 0 }))
  const { attachments, partial, preview } = await look(raw)
  expect(attachments.map(({ filename }) => filename)).toEqual(['a.pdf'])
  expect(partial).toBe(true)
  expect(preview).not.toBe('')
})
