import { expect, test } from 'vitest'
import { mail, multipart } from '#test/fixtures/mail/build.ts'
import { ENVELOPE } from '#test/fixtures/mail/envelope.ts'
import { listAttachments } from './attachments.ts'
import { contentOf } from './content.ts'
import { firstLook } from './first-look.ts'
import { defaultParseLimits } from './limits.ts'
import { parseMail } from './parse.ts'

const image = (location: string, bytes = 'QUJD', type = 'image/png'): string =>
  `Content-Type: ${type}\r\nContent-Location: ${location}\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes}`
const page = (html: string): string => `Content-Type: text/html\r\n\r\n${html}`

async function read(raw: Buffer) {
  const parsed = await parseMail(raw, defaultParseLimits)
  const { html, htmlOriginal, hasRemoteContent } = contentOf(parsed, (url) => `/proxied?${url}`)
  const images = Array.from((html ?? '').matchAll(/data:image\/png;base64,(\w+)/g), ([, bytes]) => bytes)
  const files = listAttachments(parsed).length
  expect((await firstLook(raw, ENVELOPE, defaultParseLimits)).attachments).toHaveLength(files)
  return { html, htmlOriginal: htmlOriginal?.trim(), hasRemoteContent, images, files }
}

test.each([
  ['logo.png', '<img src="logo.png">'],
  ['logo.png', '<img alt=x src=./logo.png>'],
  ['http://a.example/i?a=1&b=2', "<img src='http://a.example/i?a=1&amp;b=2'>"],
  ['https://A.example/x y.png', '<img src="https://a.example/x%20y.png">'],
  ['a/b.png', '<table background="a/b.png"></table>'],
  ['cid:x', '<img src="cid:x">'],
])('shows the image with the Content-Location %s: %s', async (location, html) => {
  expect(await read(multipart(page(html), image(location)))).toMatchObject({
    images: ['QUJD'],
    files: 0,
    hasRemoteContent: false,
    htmlOriginal: html,
  })
})

test('a relative reference is relative to the Content-Location of the message', async () => {
  const raw = mail(
    ['Content-Type: multipart/related; boundary=b', 'Content-Location: http://a.example/dir/page.html'],
    `--b\r\n${page('<img src="../i.png">')}\r\n--b\r\n${image('http://a.example/i.png')}\r\n--b--`,
  )
  expect(await read(raw)).toMatchObject({ images: ['QUJD'], files: 0, hasRemoteContent: false })
})

test.each([
  ['other.png', '<img src="logo.png">'],
  ['logo.png', '<a href="logo.png">logo.png src="logo.png"</a>'],
  ['', '<img src="">'],
  ['http://a.example/i.png', '<img src="http://a.example/j.png">'],
])('does not show the image with the Content-Location "%s": %s', async (location, html) => {
  const { images, files, htmlOriginal } = await read(multipart(page(html), image(location)))
  expect([images, files, htmlOriginal]).toEqual([[], 1, html])
})

test('an SVG stays an attachment', async () => {
  expect(await read(multipart(page('<img src="a.svg">'), image('a.svg', 'QUJD', 'image/svg+xml')))).toMatchObject({
    images: [],
    files: 1,
  })
})

test('forwarded messages show their own images, although the locations are the same', async () => {
  const forwarded = (bytes: string): string =>
    `Content-Type: message/rfc822\r\n\r\nContent-Type: multipart/related; boundary=${bytes}\r\n\r\n` +
    `--${bytes}\r\n${page('<img src="i.png">')}\r\n--${bytes}\r\n${image('i.png', bytes)}\r\n--${bytes}--`
  const raw = multipart(page('<img src="i.png">'), image('i.png', 'AAAA'), forwarded('BBBB'), forwarded('CCCC'))
  expect((await read(raw)).images).toEqual(['AAAA', 'BBBB', 'CCCC'])
})
